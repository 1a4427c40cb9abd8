// The approvals of an address. They are read on a click, because it searches the events of the whole chain.
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { errorBox } from "../components/error-box.js";
import { approvalRecords } from "../records/approval.js";
import "../table/record-table.js";
import { ApprovalsElement } from "./approvals-element.js";
import { describe, describeProgress } from "./describe.js";

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
        result && result.items.length > 0
          ? html`<aq-record-table .kind=${approvalRecords} .rows=${result.items} .context=${this.context.cells} label="Approvals"
              .total=${result.items.length}></aq-record-table>`
          : nothing
      }</div>`;
  }

  private renderStart(): TemplateResult {
    return html`<div class="empty"><h2>Token approvals</h2>
      <p>A spender can take what is approved at any time. The search reads the events of the whole chain, and asks the chain what is left.</p>
      <button type="button" class="primary" @click=${this.start}>Search approvals</button></div>`;
  }
}
