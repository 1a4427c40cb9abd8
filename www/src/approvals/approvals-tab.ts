// What others may spend of an address. Read on a click, because the events of the whole chain are searched.
import type { Approval } from "address-query/approvals";
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { errorBox } from "../components/error-box.js";
import { formatFiat } from "../format/number.js";
import * as cells from "../table/cells.js";
import { ApprovalsElement } from "./approvals-element.js";
import { describe, describeProgress } from "./describe.js";

const KINDS = { allowance: "Amount", token: "One NFT", operator: "All NFTs", permit2: "Amount, Permit2" };

@customElement("aq-approvals-tab")
export class ApprovalsTab extends ApprovalsElement {
  protected override render(): TemplateResult {
    const { status, result, error, progress } = this.search;
    const isReading = status === "reading";
    return html`<p class="note"><span role="status">${isReading ? describeProgress(progress) : result ? describe(result) : ""}</span>
        ${
          isReading
            ? html`<button type="button" data-key="Escape" @click=${this.cancel}>Cancel</button>`
            : result
              ? html`<button type="button" @click=${this.start}>Search again</button>`
              : nothing
        }</p>
      ${status === "failed" ? errorBox(error, this.start) : nothing}
      ${status === "idle" ? this.renderStart() : nothing}
      <div class="list-body" aria-busy=${isReading ? "true" : "false"} data-tab="approvals">${
        result && result.items.length > 0 ? this.renderItems(result.items) : nothing
      }</div>`;
  }

  private renderStart(): TemplateResult {
    return html`<div class="empty"><h2>What others may spend</h2>
      <p>A spender can take what is approved at any time. The search reads the events of the whole chain, and asks the chain what is left.</p>
      <button type="button" class="primary" @click=${this.start}>Search approvals</button></div>`;
  }

  private renderItems(items: readonly Approval[]): TemplateResult {
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Approvals">
      <table aria-label="Approvals">
        <thead>
          <tr><th scope="col" class="w-l">Token</th><th scope="col" class="w-l">Spender</th><th scope="col" class="w-m">Covers</th>
            <th scope="col" class="w-l end">Approved</th><th scope="col" class="w-m end">Value at risk</th><th scope="col" class="w-m">Since</th></tr>
        </thead>
        <tbody>${items.map((item) => this.renderItem(item))}</tbody>
      </table>
    </div>`;
  }

  private renderItem(item: Approval): TemplateResult {
    const { cells: context } = this.context;
    const { token, token_hash, spender, spender_hash, kind, event, expires, valueAtRisk } = item;
    return html`<tr>
      <td>${token ? cells.token(token, context) : html`<span class="lines">${cells.badge("Unknown contract", "warn")}${cells.addressLink(token_hash, context)}</span>`}</td>
      <td>${spender ? cells.address(spender, context) : cells.addressLink(spender_hash, context)}</td>
      <td><span class="lines">${KINDS[kind]}${expires === null ? nothing : html`<span class="line">until ${cells.time(expires, context)}</span>`}</span></td>
      <td class="end">${renderAmount(item)}</td>
      <td class="end">${valueAtRisk === null ? cells.none("No price or balance is known") : formatFiat(valueAtRisk)}</td>
      <td><span class="lines">${cells.time(event.timestamp, context)}${cells.transaction(event.transaction_hash, context)}</span></td>
    </tr>`;
  }
}

function renderAmount({ token, token_id, amount, isUnlimited, source }: Approval): TemplateResult {
  const sum = isUnlimited
    ? cells.badge("Unlimited", "bad")
    : token_id === null
      ? cells.amount(amount, token?.decimals ?? null, token?.symbol)
      : cells.tokenId(token_id);
  return source === "chain" ? sum : html`<span class="lines">${sum}${cells.badge("as of the event", "warn")}</span>`;
}
