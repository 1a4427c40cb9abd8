// A small WebDriver client. Written here because the protocol is JSON over HTTP, and the libraries bring far more:
// selenium-webdriver is 25 MB including a driver downloader, and webdriver has a configuration system.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Timeout for a driver to start, a page to load, and an element or a row to appear. */
const TIMEOUT_MS = 30_000;
const POLL_MS = 50;
/** The key of an element ID in a WebDriver response; the specification defines this value. */
const ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf";
/** Errors that occur while the page re-renders; the action is repeated. */
const TRANSIENT_ERRORS = new Set([
  "no such element",
  "stale element reference",
  "element not interactable",
  "element click intercepted",
]);

/** Starts a driver on a free loopback port. Returns { url, close() }. */
export async function startDriver(program, env = {}) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const driver = spawn(program, [`--port=${port}`], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const exited = once(driver, "exit").catch((error) => [error.message]);
  let output = "";
  const appendOutput = (chunk) => (output = (output + chunk).slice(-2000));
  driver.stdout.setEncoding("utf8").on("data", appendOutput);
  driver.stderr.setEncoding("utf8").on("data", appendOutput);
  // The negative ID addresses the process group: drivers leave the browser of an open session running.
  const killGroup = (signal) => {
    try {
      process.kill(-driver.pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  };
  const forceKill = () => killGroup("SIGKILL");
  process.once("exit", forceKill);
  const close = async () => {
    killGroup("SIGTERM");
    await Promise.race([exited, sleep(5000, null, { ref: false })]);
    forceKill();
    await exited;
    process.off("exit", forceKill);
  };
  const isReady = () =>
    sendCommand(`${url}/status`, "GET").then(
      ({ ready }) => ready,
      () => false,
    );
  const failure = exited.then(([code]) => {
    throw new Error(`${program} ended (${code}): ${output}`);
  });
  try {
    await Promise.race([waitUntil(`${program} to start`, isReady), failure]);
  } catch (error) {
    await close();
    throw error;
  }
  failure.catch(() => {}); // close() ends the driver, which is no failure
  return { url, close };
}

/** A browser session. Elements are selected by XPath. */
export class Browser {
  #sessionUrl;

  static async open(driverUrl, capabilities) {
    const timeouts = { pageLoad: TIMEOUT_MS, script: TIMEOUT_MS };
    const session = await sendCommand(`${driverUrl}/session`, "POST", {
      capabilities: { alwaysMatch: { ...capabilities, timeouts } },
    });
    const browser = new Browser();
    browser.#sessionUrl = `${driverUrl}/session/${session.sessionId}`;
    browser.version = session.capabilities.browserVersion;
    return browser;
  }

  /** Ends the session and the browser. */
  close() {
    return sendCommand(this.#sessionUrl, "DELETE");
  }

  goto(url) {
    return this.#post("/url", { url });
  }

  getUrl() {
    return sendCommand(`${this.#sessionUrl}/url`, "GET");
  }

  /** The current window. */
  getWindow() {
    return sendCommand(`${this.#sessionUrl}/window`, "GET");
  }

  /** Opens a tab, which is the current window from then on. */
  async openWindow() {
    const { handle } = await this.#post("/window/new", { type: "tab" });
    await this.switchTo(handle);
    return handle;
  }

  switchTo(handle) {
    return this.#post("/window", { handle });
  }

  /** Closes the current window. */
  closeWindow() {
    return sendCommand(`${this.#sessionUrl}/window`, "DELETE");
  }

  /** Runs `script` in the page as the body of a function, and returns its result. It can read `arguments`. */
  evaluate(script, ...args) {
    return this.#post("/execute/sync", { script, args });
  }

  /** Evaluates `script` until the result is truthy, and returns the result. */
  async waitUntil(description, script, ...args) {
    return waitUntil(description, () => this.evaluate(script, ...args)).catch(async (error) => {
      const pageText = await this.evaluate("return document.body.innerText").catch(String);
      throw new Error(`${error.message}; the page says:\n${pageText.trim().slice(0, 1500)}`);
    });
  }

  /** Scrolls to the element first, as a reader does where the button of the network drawer covers it. */
  click(xpath) {
    const find = `document.evaluate(${JSON.stringify(xpath)}, document, null, 9, null).singleNodeValue`;
    return this.#actOnElement(`to click ${xpath}`, xpath, async (path) => {
      await this.evaluate(`${find}?.scrollIntoView({ block: "center" })`);
      await this.#post(`${path}/click`, {});
    });
  }

  fill(xpath, text) {
    return this.#actOnElement(`to fill ${xpath}`, xpath, async (path) => {
      await this.#post(`${path}/clear`, {});
      await this.#post(`${path}/value`, { text });
    });
  }

  /** Finds the element and runs `act` with its path. Repeats both after a transient error. */
  async #actOnElement(description, xpath, act) {
    let lastError;
    const attempt = async () => {
      try {
        const { [ELEMENT_KEY]: id } = await this.#post("/element", { using: "xpath", value: xpath });
        await act(`/element/${id}`);
        return true;
      } catch (error) {
        if (!TRANSIENT_ERRORS.has(error.code)) throw error;
        lastError = error;
        return false;
      }
    };
    await waitUntil(description, attempt).catch((error) => {
      throw new Error(`${error.message} (${lastError?.message ?? "no response"})`, { cause: error });
    });
  }

  #post(path, body) {
    return sendCommand(this.#sessionUrl + path, "POST", body);
  }
}

async function sendCommand(url, method, body) {
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  // Longer than the timeouts of the driver, because its error messages are more helpful than an abort.
  const response = await fetch(url, { method, signal: AbortSignal.timeout(2 * TIMEOUT_MS), ...json });
  const { value } = await response.json();
  if (!response.ok) throw Object.assign(new Error(`${value.error}: ${value.message}`), { code: value.error });
  return value;
}

/** Calls `check` until its result is truthy, and returns the result. */
export async function waitUntil(description, check) {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const result = await check();
    if (result) return result;
    assert.ok(performance.now() < deadline, `waited ${TIMEOUT_MS / 1000} s for ${description}`);
    await sleep(POLL_MS);
  }
}

/** Returns a loopback port that was free a moment ago. */
export function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
