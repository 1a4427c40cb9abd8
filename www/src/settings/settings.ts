// The settings of the user, stored in the browser.

export interface Settings {
  theme: "system" | "light" | "dark";
  /** Whether lists continue on scrolling, or are read page by page. */
  paging: "endless" | "pages";
  times: "relative" | "absolute";
  /** Height of the rows. */
  density: "comfortable" | "compact";
  /** Gateway for IPFS pictures, such as `https://ipfs.io`. "" means that they are not loaded. */
  ipfsGateway: string;
}

const KEY = "address-query-settings";
const DEFAULTS: Settings = { theme: "system", paging: "endless", times: "relative", density: "comfortable", ipfsGateway: "" };

function read(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** The current settings. Change them with `changeSettings`. */
export const settings: Settings = read();

/** Dispatches `change` after each change. */
export const settingsEvents = new EventTarget();

export function changeSettings(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  applyTheme();
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage, the settings last until the page is closed.
  }
  settingsEvents.dispatchEvent(new Event("change"));
}

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = settings.theme;
  dataset["density"] = settings.density;
}
