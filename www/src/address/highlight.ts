// Highlights one address everywhere on the page while the pointer or the focus is on it.
import { isAddress } from "../format/text.js";

const sheet = new CSSStyleSheet();
let highlighted: string | null = null;

/** Highlights an address, or none. A rule of a style sheet also applies to rows that are added later. */
export function highlight(address: string | null): void {
  // Any change to a sheet makes the browser recompute the styles of the page.
  if (address === highlighted) return;
  highlighted = address;
  const rule = `[data-address="${address}"] { background: var(--highlight); border-radius: 4px; box-shadow: 0 0 0 2px var(--highlight); }`;
  sheet.replaceSync(address !== null && isAddress(address) ? rule : "");
}

export function startHighlight(root: Document): void {
  root.adoptedStyleSheets.push(sheet);
}
