// Makes DOM elements. Strings become text nodes, never markup, so chain data cannot inject anything here.

/** `attributes`: `class`, any attribute, `data-*`; functions are event listeners; null and false are left out. */
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

/** An icon from a path of our own on a 16-unit grid. */
export function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export const byId = (id) => document.getElementById(id);

/** Tells screen readers what sighted users see happen. */
export function announce(text) {
  byId("announcer").textContent = text;
}
