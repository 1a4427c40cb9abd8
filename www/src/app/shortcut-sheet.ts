// The sheet that lists the keyboard shortcuts.
import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import "./shortcut-sheet.css";

const SHORTCUTS = [
  ["/ or Ctrl K", "Search"],
  ["]", "Next tab"],
  ["[", "Previous tab"],
  ["← → Home End", "Move between tabs; Enter shows the tab"],
  ["← → ↑ ↓", "Move between the values of a chart that has the focus"],
  ["Tab", "Move to links, copy buttons and details of rows"],
  ["n", "Next page, or more rows"],
  ["p", "Previous page"],
  ["r", "Refresh the list"],
  ["Escape", "Cancel loading, or close a panel"],
  ["?", "Show this list"],
] as const;

@customElement("aq-shortcut-sheet")
class ShortcutSheet extends PageElement {
  protected override firstUpdated(): void {
    this.querySelector("dialog")?.showModal();
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-labelledby="shortcuts-title" @close=${() => this.remove()}>
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <dl class="shortcuts">${SHORTCUTS.map(([keys, does]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${does}</dd></div>`)}</dl>
      <form method="dialog"><button type="submit" class="primary">Close</button></form>
    </dialog>`;
  }
}

export const openSheet = (): void => void document.body.append(new ShortcutSheet());
