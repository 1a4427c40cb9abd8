// The approvals of an address. They are read on a click, because it searches the events of the whole chain.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { approvalRecords } from "../records/approval.js";
import "../table/record-table.js";
import type { TabContext } from "../table/context.js";
import { describe, describeProgress } from "./describe.js";
import { type ApprovalsSearch, getSearch } from "./search.js";

@customElement("aq-approvals-tab")
export class ApprovalsTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  private search!: ApprovalsSearch;
  private readonly start = (): void => void this.search.start();
  private readonly cancel = (): void => this.search.cancel();
  private readonly onChange = () => this.requestUpdate();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.search.removeEventListener("change", this.onChange);
    this.cancel();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("context")) return;
    const { service, route } = this.context;
    this.search?.removeEventListener("change", this.onChange);
    this.search = getSearch(service.client, route.address);
    this.search.addEventListener("change", this.onChange);
  }

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
