// The tokens that an address holds: their value, in the order that the user chooses, with probable spam folded away.
import { fiatValue, sumDecimals, type TokenBalance } from "address-query";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { settings } from "../settings/settings.js";
import { PageElement } from "../components/element.js";
import { formatCount, formatFiat } from "../format/number.js";
import { tokenBalances } from "../records/token-balance.js";
import type { ListReader } from "../lists/list-reader.js";
import "../components/picture.js";
import "../table/record-table.js";
import type { TabContext } from "../table/context.js";
import { createSpamFilter } from "./spam.js";
import { sortHoldings } from "./token-order.js";
import "./tokens.css";

/** Most addresses hold no tokens that are listed by id. */
const withoutIds = { ...tokenBalances, columns: tokenBalances.columns.filter(({ title }) => title !== "Token id") };

@customElement("aq-token-holdings")
export class TokenHoldings extends PageElement {
  @property({ attribute: false }) reader!: ListReader<TokenBalance>;
  @property({ attribute: false }) rows: readonly TokenBalance[] = [];
  @property({ attribute: false }) context!: TabContext;
  @state() private showsSpam = false;

  private tokens: readonly TokenBalance[] = [];
  private spam: readonly TokenBalance[] = [];

  private get order(): string {
    return this.context.route.filters["order"] ?? "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("rows") && !changed.has("context")) return;
    const toReason = createSpamFilter(this.rows);
    const sorted = sortHoldings(this.rows, this.order);
    this.tokens = sorted.filter((row) => toReason(row) === null);
    this.spam = sorted.filter((row) => toReason(row) !== null);
  }

  protected override render(): TemplateResult {
    return html`${this.renderSummary()}
      ${this.tokens.length > 0 ? this.renderTable(this.tokens, "Tokens") : html`<p class="empty">All tokens look like spam.</p>`}
      ${this.spam.length > 0 ? this.renderSpam() : nothing}`;
  }

  private renderSummary(): TemplateResult {
    const values = this.tokens.map((row) => fiatValue(row)).filter((value) => value !== null);
    const isPartial = this.reader.status !== "complete" || settings.paging === "pages";
    const scope = settings.paging === "pages" ? "on this page" : "among the loaded tokens";
    return html`<p class="token-summary"><strong class="number">${formatFiat(sumDecimals(values))}</strong> in ${formatCount(values.length, "token")}
      with a price${isPartial ? ` ${scope}` : ""}.
      ${isPartial && this.order ? html`Ordered ${scope}.` : nothing}
      ${isPartial && settings.paging === "endless" ? html`<button type="button" class="link" @click=${this.loadAll}>Load all</button>` : nothing}</p>`;
  }

  private renderTable(rows: readonly TokenBalance[], label: string): TemplateResult {
    return html`<aq-record-table .kind=${rows.some(({ token_id }) => token_id !== null) ? tokenBalances : withoutIds} .rows=${rows} .context=${this.context.cells} .label=${label}
      .total=${this.reader.status === "complete" ? rows.length : -1}></aq-record-table>`;
  }

  private renderSpam(): TemplateResult {
    const count = formatCount(this.spam.length, "token");
    return html`<div class="spam">
      <button type="button" aria-expanded=${this.showsSpam ? "true" : "false"} @click=${this.toggleSpam}>${this.showsSpam ? "Hide" : "Show"} ${count} that may be spam</button>
      <p class="field-hint">Flagged by the instance, or without a price and with a name that advertises or copies another token.</p>
      ${this.showsSpam ? this.renderTable(this.spam, "Tokens that may be spam") : nothing}
    </div>`;
  }

  private toggleSpam(): void {
    this.showsSpam = !this.showsSpam;
  }

  private async loadAll(): Promise<void> {
    const { reader } = this;
    do await reader.readNext();
    while (this.isConnected && reader.status === "idle");
  }
}
