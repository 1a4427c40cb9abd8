// The engines and what drives them: `find()` gives the programs or throws the name of the missing one.
import { chromedriverPath, chromiumPath, findProgram, launchArgs, onPath } from "../browser.mjs";

export const engines = [
  {
    name: "Chromium",
    packages: "chromium chromium-driver",
    find: () => ({ browser: chromiumPath(), driver: chromedriverPath() }),
    capabilities: ({ browser }) => ({ "goog:chromeOptions": { binary: browser, args: launchArgs } }),
    suite: ["--chrome", "--chromedriver"],
    remote: "CHROMEDRIVER_REMOTE",
  },
  {
    name: "Firefox",
    packages: "firefox-esr",
    find: () => ({
      browser: findProgram("Firefox", "FIREFOX", ["firefox-esr", "firefox"].flatMap(onPath)),
      driver: findProgram("geckodriver", "GECKODRIVER", onPath("geckodriver")),
    }),
    capabilities: ({ browser }) => ({ "moz:firefoxOptions": { binary: browser, args: ["-headless"] } }),
    suite: ["--firefox", "--geckodriver"],
    remote: "GECKODRIVER_REMOTE",
  },
  {
    name: "WebKitGTK",
    packages: "webkit2gtk-driver xvfb",
    // The driver knows where its browser is. It has no mode without a window, so it gets a display that nobody sees.
    find: () => ({
      driver: findProgram("WebKitWebDriver", "WEBKITWEBDRIVER", onPath("WebKitWebDriver")),
      display: findProgram("Xvfb", "XVFB", onPath("Xvfb")),
    }),
    capabilities: () => ({}),
    // The runner knows it as Safari's driver, which is asked in the same way.
    suite: ["--safari", "--safaridriver"],
    remote: "SAFARIDRIVER_REMOTE",
  },
];
