// The settings of the user, stored in the browser.
import { load, save } from "./storage.js";

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

/** The current settings. Change them with `changeSettings`. */
export const settings: Settings = { ...DEFAULTS, ...(load("localStorage", KEY) as Partial<Settings> | null) };

/** Dispatches `change` after each change. */
export const settingsEvents = new EventTarget();

export function changeSettings(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  applyTheme();
  save("localStorage", KEY, settings);
  settingsEvents.dispatchEvent(new Event("change"));
}

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = settings.theme;
  dataset["density"] = settings.density;
}
