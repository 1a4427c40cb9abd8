// Creates DOM elements. Strings become text nodes, never markup, so untrusted data cannot inject HTML.

/**
 * Creates an element; `el` is the usual short name for this helper.
 * In `attributes`, a function becomes an event listener, and null, undefined and false are ignored.
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates a 16 × 16 icon from SVG path data. */
export function createIcon(pathData) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", pathData);
  svg.append(path);
  return svg;
}

export const getById = (id) => document.getElementById(id);

/** Announces a message to screen readers. */
export function announce(message) {
  getById("announcer").textContent = message;
}
