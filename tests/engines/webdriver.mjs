// A WebDriver client of the few commands that the walk needs. Ours, because the protocol is JSON over HTTP and the kept
// libraries bring far more: selenium-webdriver is 25 MB with its driver downloader, webdriver a configuration system.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a driver may take to start, a page to load, and an element or a row to appear. */
const WAIT_MS = 30_000;
const POLL_MS = 50;
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
/** What becomes of an element while the page draws itself anew: worth another look. */
const PASSING = new Set([
  "no such element",
  "stale element reference",
  "element not interactable",
  "element click intercepted",
]);

/** Starts a driver on a free port of loopback. → { url, close() } */
export async function startDriver(program, env = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const driver = spawn(program, [`--port=${port}`], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const gone = once(driver, "exit").catch((error) => [error.message]);
  let said = "";
  const keep = (text) => (said = (said + text).slice(-2000));
  driver.stdout.setEncoding("utf8").on("data", keep);
  driver.stderr.setEncoding("utf8").on("data", keep);
  const signal = (name) => {
    try {
      process.kill(-driver.pid, name);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  };
  const sweep = () => signal("SIGKILL");
  process.once("exit", sweep);
  const close = async () => {
    // No driver ends the browser of a session that was left open; but they are one group.
    signal("SIGTERM");
    await Promise.race([gone, sleep(5000, null, { ref: false })]);
    sweep();
    await gone;
    process.off("exit", sweep);
  };
  const isReady = () => command(`${url}/status`, "GET").then(({ ready }) => ready, () => false);
  const ended = gone.then(([code]) => { throw new Error(`${program} ended (${code}): ${said}`); });
  try {
    await Promise.race([until(`${program} to start`, isReady), ended]);
  } catch (error) {
    await close();
    throw error;
  }
  ended.catch(() => {});
  return { url, close };
}

/** One window of a browser, and words for what a visitor does and sees in it. Elements are named by XPath. */
export class Browser {
  #session;

  static async open(driverUrl, capabilities) {
    const { sessionId, capabilities: own } = await command(`${driverUrl}/session`, "POST", {
      capabilities: { alwaysMatch: { ...capabilities, timeouts: { pageLoad: WAIT_MS, script: WAIT_MS } } },
    });
    const browser = new Browser();
    browser.#session = `${driverUrl}/session/${sessionId}`;
    browser.version = own.browserVersion;
    return browser;
  }

  /** Ends the browser too. */
  close() {
    return command(this.#session, "DELETE");
  }

  goto(url) {
    return this.#post("/url", { url });
  }

  url() {
    return command(`${this.#session}/url`, "GET");
  }

  /** What the body of a function, with `arguments`, returns in the page. */
  run(script, ...args) {
    return this.#post("/execute/sync", { script, args });
  }

  /** Waits until such a function returns something, and gives that. */
  async until(what, script, ...args) {
    return until(what, () => this.run(script, ...args)).catch(async (error) => {
      const page = await this.run("return document.body.innerText").catch(String);
      throw new Error(`${error.message}; the page says:\n${page.trim().slice(0, 1500)}`);
    });
  }

  click(xpath) {
    return this.#act(`to click ${xpath}`, xpath, (element) => this.#post(`${element}/click`, {}));
  }

  fill(xpath, text) {
    return this.#act(`to fill ${xpath}`, xpath, async (element) => {
      await this.#post(`${element}/clear`, {});
      await this.#post(`${element}/value`, { text });
    });
  }

  async #act(what, xpath, act) {
    let last;
    const tried = async () => {
      try {
        const { [ELEMENT]: id } = await this.#post("/element", { using: "xpath", value: xpath });
        await act(`/element/${id}`);
        return true;
      } catch (error) {
        if (!PASSING.has(error.code)) throw error;
        last = error;
        return false;
      }
    };
    await until(what, tried).catch((error) => {
      throw new Error(`${error.message} (${last?.message ?? "it never answered"})`, { cause: error });
    });
  }

  #post(path, body) {
    return command(this.#session + path, "POST", body);
  }
}

async function command(url, method, body) {
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  // Longer than the driver's own limits, whose message says more.
  const response = await fetch(url, { method, signal: AbortSignal.timeout(2 * WAIT_MS), ...json });
  const { value } = await response.json();
  if (!response.ok) throw Object.assign(new Error(`${value.error}: ${value.message}`), { code: value.error });
  return value;
}

/** Asks again and again until the answer is not false, null or nothing. */
export async function until(what, ask) {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    assert.ok(performance.now() < end, `waited ${WAIT_MS / 1000} s for ${what}`);
    await sleep(POLL_MS);
  }
}

/** A port of loopback that was free a moment ago. */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
