// Finds Chrome and ChromeDriver for every browser test; run by itself it prints both, or fails saying which is missing.
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";

const MAC_APPS = ["Google Chrome", "Chromium"].map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);

/** The flags shared with the headless Rust tests: no window, no sandbox (containers), no requests of the browser's own. */
export const launchArgs = JSON.parse(readFileSync(new URL("../webdriver.json", import.meta.url), "utf8"))[
  "goog:chromeOptions"
].args;

/** The Chrome or Chromium to test with; CHROME overrides the search. */
export function chromiumPath() {
  const names = ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome"];
  return findProgram("Chrome or Chromium", "CHROME", [...names.flatMap(onPath), ...MAC_APPS]);
}

/** The ChromeDriver to test with; CHROMEDRIVER overrides the search, CHROMEWEBDRIVER is the folder hosted runners name. */
export function chromedriverPath() {
  const hosted = env.CHROMEWEBDRIVER ? [join(env.CHROMEWEBDRIVER, "chromedriver")] : [];
  return findProgram("ChromeDriver", "CHROMEDRIVER", [...hosted, ...onPath("chromedriver"), "/usr/lib/chromium/chromedriver"]);
}

/** Where a program of this name may be. */
export function onPath(name) {
  return (env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
}

/** The program that the variable names, or the first candidate that there is; throws what is missing. */
export function findProgram(what, variable, candidates) {
  const named = env[variable];
  const found = named ? [named].find(isProgram) : candidates.find(isProgram);
  if (!found) throw new Error(named ? `${what} at ${named} (from ${variable})` : what);
  return found;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(`${chromiumPath()}\n${chromedriverPath()}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
