// Keyboard shortcuts: each key activates the element with this `data-key`, or focuses it if it is an input.

/** The sheet that lists the shortcuts has its own key, `?`. */
const KEYS: ReadonlySet<string> = new Set(["/", "]", "[", "n", "p", "r", "Escape"]);

export async function showShortcuts(): Promise<void> {
  const { openSheet } = await import("./shortcut-sheet.js");
  openSheet();
}

function handle(event: KeyboardEvent): void {
  const { target, ctrlKey, metaKey, altKey } = event;
  const isTyping = target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select") !== null;
  const isSearch = (ctrlKey || metaKey) && event.key === "k";
  const isPlain = !ctrlKey && !metaKey && !altKey && (!isTyping || event.key === "Escape");
  if (event.defaultPrevented || !(isSearch || isPlain) || document.querySelector("dialog[open], :popover-open")) return;
  const key = isSearch ? "/" : event.key;
  const element = KEYS.has(key) ? document.querySelector<HTMLElement>(`[data-key="${key}"]:not(:disabled)`) : null;
  if (key !== "?" && !element) return;
  event.preventDefault();
  if (key === "?") void showShortcuts();
  else if (element instanceof HTMLInputElement) element.select();
  else element?.click();
}

export function startShortcuts(): void {
  addEventListener("keydown", handle);
}
