// Keyboard shortcuts, and the sheet that lists them.
import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { PageElement } from "../components/element.js";

/** Each key activates the element with this `data-key`, or focuses it if it is an input. */
const SHORTCUTS = [
  ["/", "Enter an address"],
  ["]", "Next tab"],
  ["[", "Previous tab"],
  ["n", "Next page, or more rows"],
  ["p", "Previous page"],
  ["r", "Refresh the list"],
  ["Escape", "Cancel loading"],
  ["?", "Show this list"],
] as const;

const TABLE_KEYS = [
  ["← → Home End", "Move between tabs; Enter shows the tab"],
  ["Tab", "Move to links, copy buttons and details of rows"],
] as const;

@customElement("aq-shortcuts")
export class Shortcuts extends PageElement {
  private readonly onKey = (event: KeyboardEvent) => this.handle(event);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.onKey);
  }

  private handle(event: KeyboardEvent): void {
    const isTyping =
      event.target instanceof Element && event.target.closest("input:not([type=checkbox]), textarea, select") !== null;
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || hasModifier || (isTyping && event.key !== "Escape")) return;
    if (this.querySelector("dialog[open]") || !SHORTCUTS.some(([key]) => key === event.key)) return;
    const target = document.querySelector<HTMLElement>(`[data-key="${event.key}"]:not(:disabled)`);
    if (!target) return;
    event.preventDefault();
    if (target instanceof HTMLInputElement) target.select();
    else target.click();
  }

  show(): void {
    this.querySelector("dialog")?.showModal();
  }

  protected override render(): TemplateResult {
    const rows = [...SHORTCUTS, ...TABLE_KEYS];
    return html`<dialog aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <dl class="shortcuts">${rows.map(([keys, does]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${does}</dd></div>`)}</dl>
      <form method="dialog"><button type="submit" class="primary">Close</button></form>
    </dialog>`;
  }
}
