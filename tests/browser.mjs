// Finds Chrome and ChromeDriver for all browser tests. Run directly, it prints both paths, or fails and names the missing one.
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";

const MAC_APPS = ["Google Chrome", "Chromium"].map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);

/** The Chrome flags, shared with the headless Rust tests: no window, no sandbox (for containers), no background requests. */
export const launchArgs = JSON.parse(readFileSync(new URL("../webdriver.json", import.meta.url), "utf8"))["goog:chromeOptions"]
  .args;

/** Returns the path of Chrome or Chromium. The environment variable CHROME overrides the search. */
export function chromiumPath() {
  const names = ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome"];
  return findProgram("Chrome or Chromium", "CHROME", [...names.flatMap(listPathCandidates), ...MAC_APPS]);
}

/**
 * Returns the path of ChromeDriver. The environment variable CHROMEDRIVER overrides the search.
 * GitHub's hosted runners set CHROMEWEBDRIVER to the folder that contains it.
 */
export function chromedriverPath() {
  const hosted = env.CHROMEWEBDRIVER ? [join(env.CHROMEWEBDRIVER, "chromedriver")] : [];
  const candidates = [...hosted, ...listPathCandidates("chromedriver"), "/usr/lib/chromium/chromedriver"];
  return findProgram("ChromeDriver", "CHROMEDRIVER", candidates);
}

/** Lists where a program with this name would be in the folders of PATH. */
export function listPathCandidates(name) {
  return (env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
}

/**
 * Returns the path in the environment variable `variable` if it is set, otherwise the first candidate that exists.
 * If there is no such program, throws an error whose message is its name.
 */
export function findProgram(name, variable, candidates) {
  const override = env[variable];
  const path = (override ? [override] : candidates).find(isExecutable);
  if (!path) throw new Error(override ? `${name} at ${override} (from ${variable})` : name);
  return path;
}

function isExecutable(path) {
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
