// The browser engines to test, and the programs each needs. `find()` returns their paths, or throws the name of a missing one.
import { chromedriverPath, chromiumPath, findProgram, launchArgs, listPathCandidates } from "../browser.mjs";

export const engines = [
  {
    name: "Chromium",
    debianPackages: "chromium chromium-driver",
    find: () => ({ browser: chromiumPath(), driver: chromedriverPath() }),
    capabilities: ({ browser }) => ({ "goog:chromeOptions": { binary: browser, args: launchArgs } }),
    wasmPackArgs: ["--chrome", "--chromedriver"],
    driverUrlVariable: "CHROMEDRIVER_REMOTE",
  },
  {
    name: "Firefox",
    debianPackages: "firefox-esr",
    find: () => ({
      browser: findProgram("Firefox", "FIREFOX", ["firefox-esr", "firefox"].flatMap(listPathCandidates)),
      driver: findProgram("geckodriver", "GECKODRIVER", listPathCandidates("geckodriver")),
    }),
    capabilities: ({ browser }, prefs = {}) => ({ "moz:firefoxOptions": { binary: browser, args: ["-headless"], prefs } }),
    // In KB. tests/package/store.test.mjs limits Chromium, and WebKit has no such setting.
    quotaPrefs: { "dom.quotaManager.temporaryStorage.fixedLimit": 1_000 },
    wasmPackArgs: ["--firefox", "--geckodriver"],
    driverUrlVariable: "GECKODRIVER_REMOTE",
  },
  {
    name: "WebKitGTK",
    debianPackages: "webkit2gtk-driver xvfb",
    // WebKitWebDriver finds its browser itself. It has no headless mode, so it needs a virtual display.
    find: () => ({
      driver: findProgram("WebKitWebDriver", "WEBKITWEBDRIVER", listPathCandidates("WebKitWebDriver")),
      display: findProgram("Xvfb", "XVFB", listPathCandidates("Xvfb")),
    }),
    capabilities: () => ({}),
    // wasm-pack has no option for WebKitWebDriver, but safaridriver uses the same protocol.
    wasmPackArgs: ["--safari", "--safaridriver"],
    driverUrlVariable: "SAFARIDRIVER_REMOTE",
  },
];
