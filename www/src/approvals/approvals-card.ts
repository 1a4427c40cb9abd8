// The value that the approvals of an address put at risk, in the overview. Read on a click.
import type { Approvals } from "address-query/approvals";
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { errorBox } from "../components/error-box.js";
import { formatFiat, formatInteger } from "../format/number.js";
import { badge, integer } from "../table/cells.js";
import { ApprovalsElement } from "./approvals-element.js";
import { describeGaps, describeProgress, sumRisk } from "./describe.js";

@customElement("aq-approvals-card")
export class ApprovalsCard extends ApprovalsElement {
  protected override render(): TemplateResult {
    const { status, result, error, progress } = this.search;
    if (status === "failed") return errorBox(error, this.start);
    if (result) return renderResult(result);
    const isReading = status === "reading";
    return html`<p class="note"><span role="status">${
      isReading
        ? describeProgress(progress)
        : "What others may take from this address. The search reads the events of the whole chain."
    }</span>
      ${
        isReading
          ? html`<button type="button" data-key="Escape" @click=${this.cancel}>Cancel</button>`
          : html`<button type="button" @click=${this.start}>Search approvals</button>`
      }</p>`;
  }
}

function renderResult(result: Approvals): TemplateResult {
  const { items, block } = result;
  const unlimited = items.filter(({ isUnlimited }) => isUnlimited).length;
  const unknown = items.filter(({ valueAtRisk }) => valueAtRisk === null).length;
  const gaps = describeGaps(result);
  return html`<dl class="facts" role="status">
    <div class="fact"><dt>Value at risk</dt><dd><span class="number">${formatFiat(sumRisk(items))}</span>
      ${unknown === 0 ? nothing : html`<span class="sub">${formatInteger(unknown)} of unknown value</span>`}</dd></div>
    <div class="fact"><dt>Approvals</dt><dd>${integer(items.length)}<span class="sub">as of block ${formatInteger(block)}</span></dd></div>
    <div class="fact"><dt>Unlimited</dt><dd>${unlimited === 0 ? "None" : badge(formatInteger(unlimited), "bad")}</dd></div>
  </dl>
  ${gaps ? html`<p class="note">${gaps}</p>` : nothing}`;
}
