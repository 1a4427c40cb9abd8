// Recomputes the balances of an address from its history, and compares them with the balances that the service reports.
import { type AssetAudit, auditBalance, type AuditReason, type BalanceAudit } from "address-query/history";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { formatCount, formatInteger } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { networkLog } from "../service/network-log.js";
import * as cells from "../table/cells.js";
import { checksumLink } from "../table/checksum-link.js";
import type { TabContext } from "../table/context.js";

const REASONS: Readonly<Record<AuditReason, string>> = {
  genesis_allocation: "The address had coins in block 0, or before its first event.",
  l1_fee: "Fees for data on the parent chain are not part of the history.",
  blob_fee: "Fees for blobs are not part of the history.",
  token_fee: "A fee was paid in a token, and its event does not say so.",
  pruned_traces: "Internal transactions are missing.",
  not_indexed: "The instance does not state that it has indexed all blocks.",
  omitted_records: "Records that failed validation were omitted.",
  incomplete_history: "Records of another kind are missing.",
  unknown_amount: "The service does not report the amount or the fee of an event.",
  rebasing_token: "The token changes balances without transfers.",
};

@customElement("aq-audit")
export class Audit extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private audit: BalanceAudit | null = null;
  @state() private error: unknown = null;
  @state() private controller: AbortController | null = null;
  /** Requests since the audit started. */
  @state() private requests = 0;
  private key = "";
  private readonly onChange = () => {
    if (this.controller && networkLog.entries.at(-1)?.event.kind === "request") this.requests += 1;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    networkLog.addEventListener("change", this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    networkLog.removeEventListener("change", this.onChange);
    this.controller?.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { source, address } = this.context.route;
    if (!changed.has("context") || this.key === `${source} ${address}`) return;
    this.key = `${source} ${address}`;
    this.controller?.abort();
    this.controller = null;
    this.audit = null;
    this.error = null;
  }

  private async start(): Promise<void> {
    const controller = new AbortController();
    this.controller = controller;
    this.audit = null;
    this.error = null;
    this.requests = 0;
    try {
      const { service, route } = this.context;
      const audit = await auditBalance(service.client, { address_hash: route.address, signal: controller.signal });
      if (this.controller === controller) this.audit = audit;
    } catch (error) {
      if (this.controller === controller && !controller.signal.aborted) this.error = error;
    }
    if (this.controller === controller) this.controller = null;
  }

  protected override render(): TemplateResult {
    const { controller, audit, error } = this;
    return html`<div class="callout">
        <p>Reads the whole history, adds up what came in and went out, and compares the sums with the balances that the service reports.</p>
        ${
          controller
            ? html`<button type="button" data-key="Escape" @click=${() => controller.abort()}>Cancel</button>`
            : html`<button type="button" class="primary" @click=${() => void this.start()}>${audit ? "Audit again" : "Start audit"}</button>`
        }
      </div>
      <p class="note" role="status">${this.describe()}</p>
      ${error ? errorBox(error, () => void this.start()) : nothing}
      <div class="list-body" aria-busy=${controller ? "true" : "false"} data-tab="audit">${audit ? this.renderAudit(audit) : nothing}</div>`;
  }

  private describe(): string {
    const { controller, audit, requests } = this;
    if (controller) return `Auditing… ${formatCount(requests, "request")} so far.`;
    if (!audit) return "";
    const result = audit.balanced
      ? "No balance differs from the sum of its events"
      : "Some balances differ from the sum of their events";
    return `${result}, as of block ${formatInteger(audit.block)}, from ${formatCount(audit.report.events, "event")}.`;
  }

  private renderAudit({ native, tokens, report }: BalanceAudit): TemplateResult {
    const { coin } = this.context.cells;
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Audit">
        <table aria-label="Audit">
          <thead>
            <tr><th scope="col" class="w-l">Asset</th><th scope="col" class="w-l end">Sum of all events</th><th scope="col" class="w-l end">Reported</th>
              <th scope="col" class="w-s">Result</th><th scope="col" class="w-xl">First difference and possible reasons</th></tr>
          </thead>
          <tbody>
            ${this.renderAsset(cells.text(coin.symbol || "Native coin"), native, coin.decimals)}
            ${tokens.map((audit) =>
              this.renderAsset(
                html`<span class="lines">${cells.text(audit.token?.symbol || audit.token?.name)}${checksumLink(audit.contract, this.context.cells)}</span>`,
                audit,
                audit.token?.decimals ?? null,
              ),
            )}
          </tbody>
        </table>
      </div>
      <h2>Sources</h2>
      ${cells.definitions(
        report.sources.map(({ method, state, records, reasons }) => [
          method,
          html`${formatCount(records, "record")}, ${state} ${reasons.length > 0 ? html`<bdi>${cleanText(reasons.join(" "), 400)}</bdi>` : nothing}`,
        ]),
      )}`;
  }

  private renderAsset(name: unknown, audit: AssetAudit, decimals: string | number | null): TemplateResult {
    const { computed, reported, agrees, divergence, reasons } = audit;
    const result =
      agrees === null ? cells.badge("not known") : agrees ? cells.badge("agrees", "good") : cells.badge("differs", "bad");
    return html`<tr>
      <td>${name}</td>
      <td class="end">${cells.amount(computed, decimals)}</td>
      <td class="end">${reported === null ? cells.none("The service reports none") : cells.amount(reported, decimals)}</td>
      <td>${result}</td>
      <td>${divergence ? html`From block ${formatInteger(divergence.block)}. ` : nothing}${reasons.map((reason) => REASONS[reason]).join(" ")}</td>
    </tr>`;
  }
}
