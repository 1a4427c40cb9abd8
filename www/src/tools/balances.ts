// Reads the balances of a list of addresses, marks outdated ones, and refreshes them until they are up to date.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import "../export/export-menu.js";
import { formatCount } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { toFilters, toHref } from "../route/route.js";
import "../table/record-table.js";
import type { TabContext } from "../table/context.js";
import { readAddressList, writeAddressList } from "./address-list-input.js";
import { type BalanceRow, balances, isOutdated } from "./balance-rows.js";
import { type AddressList, parseAddresses } from "./parse-addresses.js";

/** How long outdated balances are refreshed before giving up. */
const REFRESH_MS = 10_000;
const MAX_INVALID_SHOWN = 5;

@customElement("aq-balances")
export class Balances extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private rows: readonly BalanceRow[] = [];
  @state() private message = "";
  @state() private error: unknown = null;
  /** Cancels the request in flight. Null: none. */
  @state() private controller: AbortController | null = null;
  private input: AddressList = { addresses: [], duplicates: 0, invalid: [] };
  private key = "";

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.controller?.abort();
    this.key = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("context")) return;
    const { route } = this.context;
    const key = toHref(route);
    if (key === this.key) return;
    this.key = key;
    this.input = parseAddresses(readAddressList(route.filters) || route.address, this.context.service.chainId);
    this.rows = [];
    void this.read();
  }

  /** Runs `act`, which can be cancelled. Returns whether it was neither cancelled nor replaced. */
  private async run(message: string, cancelled: string, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    this.message = message;
    this.error = null;
    try {
      await act(controller.signal);
    } catch (error) {
      if (this.controller !== controller) return;
      if (controller.signal.aborted) this.message = cancelled;
      else this.error = error;
    }
    if (this.controller === controller) this.controller = null;
  }

  private async read(): Promise<void> {
    const { addresses } = this.input;
    if (addresses.length === 0) return;
    await this.run("Loading…", "Cancelled", async (signal) => {
      const rows = await this.context.service.client.account.balanceMulti({ address: addresses }, { signal });
      signal.throwIfAborted();
      this.rows = rows;
      this.message = formatCount(rows.length, "balance");
    });
  }

  /** Requests only the outdated balances again. */
  private async refresh(): Promise<void> {
    const outdated = this.rows.filter(isOutdated);
    const message = `Refreshing ${formatCount(outdated.length, "balance")} for up to ${REFRESH_MS / 1000} s…`;
    await this.run(message, "Refresh cancelled", async (signal) => {
      const refreshed = await this.context.service.client.account.balanceMulti(
        { address: outdated.map(({ account }) => account) },
        { signal, until: "fresh", freshWithinMs: REFRESH_MS },
      );
      signal.throwIfAborted();
      this.rows = this.rows.map((row) => {
        const next = refreshed[outdated.indexOf(row)];
        return next ? { ...next, previous: row.balance, isRefreshed: true } : row;
      });
      const staleCount = refreshed.filter(isOutdated).length;
      const summary = `${formatCount(refreshed.length - staleCount, "balance")} updated, ${staleCount} still stale`;
      this.message = staleCount === 0 ? "All balances are up to date" : summary;
    });
    await this.updateComplete;
    this.querySelector<HTMLElement>(".refresh")?.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { controller, rows } = this;
    return html`
      ${this.renderForm()} ${this.renderNotes()}
      <div class="list-status">
        <p role="status">${this.message}</p>
        ${controller ? html`<button type="button" @click=${() => controller.abort()}>Cancel</button>` : nothing}
        ${rows.length > 0 ? html`<aq-export-menu .source=${this.createExport()}></aq-export-menu>` : nothing}
      </div>
      ${this.error ? errorBox(this.error, () => void (rows.length > 0 ? this.refresh() : this.read())) : nothing}
      ${this.message === "Cancelled" ? html`<p class="actions"><button type="button" @click=${() => void this.read()}>Retry</button></p>` : nothing}
      <div class="list-body" aria-busy=${controller ? "true" : "false"} data-tab="balances">${this.renderRows()}</div>`;
  }

  private renderForm(): TemplateResult {
    const { route } = this.context;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.submit(event);
    };
    return html`<form class="filters" @submit=${this.submit}>
      <div class="field grow">
        <label for="addresses">Addresses, one per line</label>
        <textarea id="addresses" class="mono" rows="2" spellcheck="false" placeholder=${route.address ? "Paste addresses, or leave empty to use the address above" : "Paste addresses"}
          .value=${readAddressList(route.filters)} @keydown=${onKey}></textarea>
        <p class="actions">
          <button type="submit" class="primary">Get balances</button>
          ${route.source === "" ? html`<button type="button" @click=${this.fillSamples}>Use all sample addresses</button>` : nothing}
        </p>
      </div>
    </form>`;
  }

  private submit(event: Event): void {
    event.preventDefault();
    const input = this.querySelector("textarea")?.value.trim() ?? "";
    const { route, navigate } = this.context;
    navigate(toFilters(route, { tool: "balances", ...writeAddressList(input) }));
  }

  private async fillSamples(): Promise<void> {
    const { sampleAddresses } = await import("../service/sample.js");
    const textarea = this.querySelector("textarea");
    if (textarea) textarea.value = sampleAddresses.map(({ hash }) => hash).join("\n");
  }

  private renderNotes(): TemplateResult {
    const { invalid, duplicates, addresses } = this.input;
    const more = invalid.length - MAX_INVALID_SHOWN;
    return html`
      ${
        invalid.length > 0
          ? html`<div class="callout bad" role="alert">
              <p>${invalid.length === 1 ? "1 invalid address was" : `${invalid.length} invalid addresses were`} skipped:</p>
              <ul>${invalid
                .slice(0, MAX_INVALID_SHOWN)
                .map(({ entry, position }) => html`<li>Entry ${position}: <bdi class="mono">${cleanText(entry, 60)}</bdi></li>`)}
                ${more > 0 ? html`<li>and ${more} more</li>` : nothing}</ul>
            </div>`
          : nothing
      }
      ${duplicates > 0 ? html`<p class="note">${duplicates === 1 ? "1 duplicate address was" : `${duplicates} duplicate addresses were`} removed.</p>` : nothing}
      ${addresses.length === 0 ? html`<p class="empty">${readAddressList(this.context.route.filters) ? "No valid addresses. Enter" : "Enter addresses to read their balances:"} 0x followed by 40 hex digits, one address per line.</p>` : nothing}`;
  }

  private renderRows(): unknown {
    const { rows, context } = this;
    if (rows.length === 0) return nothing;
    // There is no current address here, so all addresses are links.
    const cells = { ...context.cells, route: { ...context.route, address: "", filters: {}, tab: "" } };
    const count = rows.filter(isOutdated).length;
    return html`
      ${
        count > 0
          ? html`<div class="callout warn">
              <p>${count === 1 ? "1 balance is" : `${count} balances are`} stale or unknown. The service is fetching the current values from the chain.</p>
              <button type="button" class="refresh" ?disabled=${this.controller !== null} @click=${() => void this.refresh()}>Refresh until up to date</button>
            </div>`
          : nothing
      }
      <aq-record-table .kind=${balances} .rows=${rows} .context=${cells} label="Balances" .total=${rows.length}></aq-record-table>`;
  }

  private createExport() {
    const { rows, key } = this;
    const createCall = () => ({
      resumeToken: null,
      async *[Symbol.asyncIterator]() {
        yield* rows;
      },
    });
    return { key, name: "balances", noun: balances.noun, csv: balances.csv ?? {}, createCall, isEstimated: false };
  }
}
