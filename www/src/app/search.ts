// The form that asks for an address.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { SampleAddress } from "address-query/testing";
import { PagePart } from "../components/element.js";
import { isAddress } from "../format/text.js";
import { toAddress } from "../route/route.js";
import type { TabContext } from "../table/context.js";

const INVALID = "Invalid address: an address is 0x followed by 40 hex digits.";

@customElement("aq-search")
export class Search extends PagePart {
  @property({ attribute: false }) context!: TabContext;
  @state() private error = "";
  @state() private samples: readonly SampleAddress[] = [];

  protected override willUpdate(): void {
    if (this.context.route.source === "" && this.samples.length === 0) void this.loadSamples();
  }

  private async loadSamples(): Promise<void> {
    const { sampleAddresses } = await import("../service/sample.js");
    this.samples = sampleAddresses;
  }

  protected override render(): TemplateResult {
    const { route } = this.context;
    const invalid = this.error || (route.address && !isAddress(route.address) ? INVALID : "");
    return html`<form class="search" role="search" novalidate @submit=${this.submit}>
      <div class="field grow">
        <label for="address">Address</label>
        <div class="input-group">
          <input id="address" data-key="/" class="mono" type="text" autocomplete="off" autocapitalize="off" spellcheck="false"
            placeholder="0x followed by 40 hex digits" aria-describedby="address-error" aria-invalid=${invalid ? "true" : "false"} .value=${route.address} />
          <button type="submit" class="primary">Search</button>
        </div>
        <p id="address-error" class="field-error" role="alert">${invalid}</p>
      </div>
      ${route.source === "" ? this.renderSamples() : nothing}
    </form>`;
  }

  private renderSamples(): TemplateResult {
    const { route } = this.context;
    const shown = this.samples.find(({ hash }) => hash.toLowerCase() === route.address.toLowerCase());
    return html`<div class="field">
      <label for="sample-select">Sample addresses</label>
      <select id="sample-select" aria-describedby="sample-description" @change=${(event: Event) => this.go((event.target as HTMLSelectElement).value)}>
        <option value="" ?selected=${!shown}>Choose one</option>
        ${this.samples.map(({ hash, label }) => html`<option value=${hash} ?selected=${hash === shown?.hash}>${label}</option>`)}
      </select>
      <p id="sample-description" class="field-hint">${shown?.description ?? "One for each kind of address."}</p>
    </div>`;
  }

  private submit(event: Event): void {
    event.preventDefault();
    this.go(this.querySelector("input")?.value.trim() ?? "");
  }

  private go(address: string): void {
    this.error = address === "" || isAddress(address) ? "" : INVALID;
    if (!this.error) this.context.navigate(toAddress(this.context.route, address));
  }
}
