// The search of the bar: a box for an address, and a list of recent and sample addresses.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Search as Lens } from "lucide";
import { PageElement } from "../components/element.js";
import { icon } from "../components/icon.js";
import { cleanText, isAddress, shortenHash } from "../format/text.js";
import { toAddress } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import type { Suggestion } from "./suggestions.js";

const INVALID = "Invalid address: an address is 0x followed by 40 hex digits.";

@customElement("aq-search")
export class Search extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private error = "";
  @state() private isOpen = false;
  @state() private suggestions: readonly Suggestion[] = [];
  /** Position of the suggestion that the arrow keys moved to, or -1. */
  @state() private active = -1;

  private get input(): HTMLInputElement | null {
    return this.querySelector("input");
  }

  protected override render(): TemplateResult {
    const { route } = this.context;
    const invalid = this.error || (route.address && !isAddress(route.address) ? INVALID : "");
    const hasList = this.isOpen && this.suggestions.length > 0;
    return html`<form class="search" role="search" novalidate @submit=${this.submit} @focusout=${this.onFocusOut}>
      <button type="submit" class="icon-button" aria-label="Search">${icon(Lens)}</button>
      <label class="visually-hidden" for="address">Address</label>
      <input id="address" data-key="/" type="text" role="combobox" autocomplete="off" autocapitalize="off" spellcheck="false"
        placeholder="Search an address" aria-autocomplete="list" aria-expanded=${hasList ? "true" : "false"} aria-controls="suggestions"
        aria-activedescendant=${this.active < 0 ? nothing : `suggestion-${this.active}`} aria-describedby="address-error"
        aria-invalid=${invalid ? "true" : "false"} .value=${route.address}
        @focus=${this.open} @click=${this.open} @input=${this.open} @keydown=${this.onKey} />
      <kbd aria-hidden="true">/</kbd>
      <p id="address-error" class="field-error" role="alert">${invalid}</p>
      <ul id="suggestions" role="listbox" aria-label="Recent and sample addresses" ?hidden=${!hasList}>
        ${hasList ? this.suggestions.map((suggestion, index) => this.renderSuggestion(suggestion, index)) : nothing}
      </ul>
    </form>`;
  }

  private renderSuggestion({ address, label, description }: Suggestion, index: number): TemplateResult {
    return html`<li id="suggestion-${index}" role="option" aria-selected=${index === this.active ? "true" : "false"}
      @pointerdown=${(event: Event) => event.preventDefault()} @click=${() => this.go(address)}>
      <span class="line"><bdi class="name">${label}</bdi><span class="mono symbol">${cleanText(shortenHash(address))}</span></span>
      <span class="text none">${description}</span></li>`;
  }

  private async open(): Promise<void> {
    this.isOpen = true;
    const { route } = this.context;
    const entered = this.input?.value.trim() ?? "";
    const { findSuggestions } = await import("./suggestions.js");
    this.suggestions = await findSuggestions(route.source, entered === route.address ? "" : entered);
    this.active = -1;
  }

  private close(): void {
    this.isOpen = false;
    this.active = -1;
  }

  private onFocusOut({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node) || !this.contains(relatedTarget)) this.close();
  }

  private onKey(event: KeyboardEvent): void {
    const count = this.isOpen ? this.suggestions.length : 0;
    if (event.key === "Escape" && this.isOpen) {
      event.preventDefault();
      this.close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || count === 0) return;
    event.preventDefault();
    this.active = (this.active + step + count + (this.active < 0 && step < 0 ? 1 : 0)) % count;
    void this.updateComplete.then(() => this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }));
  }

  private submit(event: Event): void {
    event.preventDefault();
    this.go(this.suggestions[this.active]?.address ?? this.input?.value.trim() ?? "");
  }

  private go(address: string): void {
    this.error = address === "" || isAddress(address) ? "" : INVALID;
    if (this.error) return;
    this.close();
    this.context.navigate(toAddress(this.context.route, address));
  }
}
