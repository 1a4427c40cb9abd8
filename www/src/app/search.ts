// The search of the bar: a box for a name, address, transaction, token or block, with a list of suggestions.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Search as Lens } from "lucide";
import { PageElement } from "../components/element.js";
import { icon } from "../components/icon.js";
import { cleanText, isAddress } from "../format/text.js";
import type { Route } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import type { Suggestion, Suggestions } from "./suggestions.js";

const NOTHING: Suggestions = { items: [], status: "" };

/** What the box shows: not several accounts. */
const toShown = ({ route }: TabContext): string => route.address || route.id;

@customElement("aq-search")
export class Search extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private error = "";
  @state() private isOpen = false;
  @state() private found = NOTHING;
  /** Position of the suggestion that the arrow keys moved to, or -1. */
  @state() private active = -1;
  /** Cancels the suggestions and the lookup of the previous entry. */
  private controller = new AbortController();

  private get input(): HTMLInputElement | null {
    return this.querySelector("input");
  }

  protected override render(): TemplateResult {
    const { address } = this.context.route;
    const invalid = this.error || (address && !isAddress(address) ? "Invalid address" : "");
    const { items, status } = this.found;
    const hasList = this.isOpen && (items.length > 0 || status !== "");
    return html`<form class="search" role="search" novalidate @submit=${this.submit} @focusout=${this.onFocusOut}>
      <button type="submit" class="icon-button" aria-label="Search">${icon(Lens)}</button>
      <input id="address" data-key="/" type="text" role="combobox" autocomplete="off" autocapitalize="off" spellcheck="false"
        aria-label="Name, address, transaction, token or block" placeholder="Name, address, transaction, token" aria-autocomplete="list" aria-expanded=${hasList ? "true" : "false"} aria-controls="suggestions"
        aria-activedescendant=${this.active < 0 ? nothing : `suggestion-${this.active}`} aria-describedby="address-error"
        aria-invalid=${invalid ? "true" : "false"} .value=${toShown(this.context)}
        @focus=${this.open} @click=${this.open} @input=${this.open} @keydown=${this.onKey} />
      <kbd aria-hidden="true">/</kbd>
      <p id="address-error" class="field-error" role="alert">${invalid}</p>
      <div id="search-list" ?hidden=${!hasList}>
        <ul id="suggestions" role="listbox" aria-label="Suggestions">${hasList ? items.map((item, index) => this.renderSuggestion(item, index)) : nothing}</ul>
        <p role="status" class="none">${hasList ? cleanText(status) : ""}</p>
      </div>
    </form>`;
  }

  private renderSuggestion({ route, label, hash, description, isScam }: Suggestion, index: number): TemplateResult {
    return html`<li id="suggestion-${index}" role="option" aria-selected=${index === this.active ? "true" : "false"}
      @pointerdown=${(event: Event) => event.preventDefault()} @click=${() => this.go(route)}>
      <span class="line"><bdi class="name">${cleanText(label, 80)}</bdi>${isScam ? html`<span class="badge bad">scam</span>` : nothing}<span class="mono symbol">${cleanText(hash)}</span></span>
      <bdi class="text none">${cleanText(description)}</bdi></li>`;
  }

  /** Forgets the previous entry. */
  private restart(): AbortSignal {
    this.controller.abort();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  private async open({ type }: Event): Promise<void> {
    if (type !== "input" && this.isOpen) return;
    const signal = this.restart();
    this.isOpen = true;
    if (type === "input") this.error = "";
    this.active = -1;
    const entry = this.input?.value.trim() ?? "";
    const { suggest } = await import("./suggestions.js");
    for await (const found of suggest(this.context, entry === toShown(this.context) ? "" : entry, signal)) {
      if (signal.aborted) return;
      this.found = found;
    }
  }

  private close(): void {
    this.restart();
    this.isOpen = false;
    this.active = -1;
  }

  private onFocusOut({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node) || !this.contains(relatedTarget)) this.close();
  }

  private onKey(event: KeyboardEvent): void {
    const count = this.isOpen ? this.found.items.length : 0;
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

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const chosen = this.found.items[this.active];
    if (chosen) return this.go(chosen.route);
    const { resolveEntry } = await import("./resolve-entry.js");
    const { signal } = this.controller;
    const target = await resolveEntry(this.context, this.input?.value.trim() ?? "", signal);
    if (signal.aborted) return;
    if ("route" in target) this.go(target.route);
    else this.error = target.error;
  }

  private go(route: Route): void {
    this.error = "";
    this.close();
    this.context.navigate(route);
  }
}
