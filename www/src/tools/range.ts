// Reads all records of one type: a preview first, then the whole range of blocks, with progress, pause and resume.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { formatCount, formatInteger } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { toFilters } from "../route/route.js";
import { describeActivity } from "../service/activity.js";
import "../table/record-table.js";
import { filterChips } from "../lists/filter-chips.js";
import type { TabContext } from "../table/context.js";
import type { RangeRow } from "./account-records.js";
import { countRemainingBlocks, rangeProgress, type RangeStatus } from "./range-progress.js";
import { createQuery, type Preview, type RangeQuery, rangeExport, rangeFilters, readPreview } from "./range-query.js";
import { RangeReader } from "./range-reader.js";

/** The page never shows more rows than this, however many records are read. */
const MAX_ROWS_SHOWN = 200;

/** Lets the browser handle pending input before the next window is read. */
const yieldToBrowser = () => new Promise<void>((resolve) => setTimeout(resolve));

@customElement("aq-range")
export class Range extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private preview: Preview | null = null;
  @state() private status: "preview" | RangeStatus = "preview";
  @state() private error: unknown = null;
  /** Cancels the read in flight. Null: none. */
  @state() private controller: AbortController | null = null;
  private query!: RangeQuery;
  private reader: RangeReader | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.controller?.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("context")) return;
    const query = createQuery(this.context);
    if (query.key === this.query?.key) return;
    this.query = query;
    void this.readPreview();
  }

  /** Runs `act`, which can be cancelled. Returns whether it ended, failed or was cancelled, or null if it was replaced. */
  private async run(act: (signal: AbortSignal) => Promise<void>): Promise<"done" | "failed" | "cancelled" | null> {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    this.error = null;
    let failure: unknown = null;
    try {
      await act(controller.signal);
    } catch (error) {
      failure = error;
    }
    if (this.controller !== controller || !this.isConnected) return null;
    this.controller = null;
    if (failure === null) return "done";
    if (controller.signal.aborted) return "cancelled";
    this.error = failure;
    return "failed";
  }

  private async readPreview(): Promise<void> {
    this.status = "preview";
    this.preview = null;
    this.reader = null;
    const { query } = this;
    await this.run(async (signal) => {
      const preview = await readPreview(query, signal);
      signal.throwIfAborted();
      this.preview = preview;
    });
  }

  private startOver(): Promise<void> {
    this.reader = new RangeReader(this.query.method, this.query.params, MAX_ROWS_SHOWN);
    return this.readAll();
  }

  /** Reads until the end, a pause or an error. Call it again to resume. */
  private async readAll(): Promise<void> {
    const { reader } = this;
    if (!reader) return;
    this.status = "loading";
    const result = await this.run((signal) =>
      reader.run(signal, async () => {
        this.requestUpdate();
        await yieldToBrowser();
      }),
    );
    if (result === null) return;
    this.status = result === "cancelled" ? "paused" : result;
    await this.updateComplete;
    // The button that had the focus is gone.
    this.querySelector<HTMLElement>(".range-progress button")?.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { context, controller } = this;
    const onFilters = (filters: Record<string, string>) => context.navigate(toFilters(context.route, filters));
    return html`
      <div class="list-status">
        ${filterChips(rangeFilters, context.route.filters, onFilters, context.cells.chainId)}
        <p role="status">${this.describe()}</p>
        ${controller && this.status === "preview" ? html`<button type="button" data-key="Escape" @click=${() => controller.abort()}>Cancel</button>` : nothing}
        ${rangeExport(this.query)}
      </div>
      <div class="list-body" aria-busy=${controller ? "true" : "false"} data-tab="range">
        ${this.status === "preview" ? this.renderPreview() : this.renderProgress()}
      </div>`;
  }

  private describe(): string {
    const { status, preview, reader } = this;
    if (status === "preview") {
      if (this.controller) return `Loading… ${describeActivity()}`.trim();
      return preview?.bounds ? `Showing ${formatCount(preview.rows.length, "record")}` : "";
    }
    const count = formatCount(reader?.recordCount ?? 0, "record");
    if (status === "loading") return `Loading all records… ${describeActivity()}`.trim();
    if (status === "done") return `Loaded ${count} in ${((reader?.elapsedMs ?? 0) / 1000).toFixed(1)} s`;
    if (!reader || !preview?.bounds) return "";
    const remaining = countRemainingBlocks(reader, preview.bounds, this.query.params.sort);
    return `Paused after ${count}, ${formatCount(remaining, "block")} left`;
  }

  private renderPreview(): unknown {
    const { preview, error, controller } = this;
    if (error) return errorBox(error, () => void this.readPreview());
    if (!preview) {
      const retry = html`<button type="button" @click=${() => void this.readPreview()}>Retry</button>`;
      return controller ? nothing : html`<div class="empty"><h2>Cancelled</h2>${retry}</div>`;
    }
    const { bounds, rows, hasAll } = preview;
    const note = preview.message ? html`<p class="note"><bdi>${cleanText(preview.message)}</bdi></p>` : nothing;
    if (!bounds) return html`${note}<p class="empty">${this.query.type.label}: no records in this block range.</p>`;
    const blocks = `blocks ${formatInteger(bounds.first)} to ${formatInteger(bounds.last)}`;
    return html`<div class="callout">
        <p>${
          hasAll
            ? `These are all records${preview.message ? " that the service has so far" : ""}, from ${blocks}.`
            : `There are more records in ${blocks}. "Load all" reads every one of them, beyond the limit of 10,000 records per request.`
        }</p>
        <button type="button" class="primary" @click=${() => void this.startOver()}>Load all</button>
      </div>
      ${note}${this.renderTable(rows)}`;
  }

  private renderProgress(): unknown {
    const { reader, preview, status, controller } = this;
    if (!reader || !preview?.bounds || status === "preview") return nothing;
    const { newestRows, recordCount } = reader;
    const startOver = (label: string) => html`<button type="button" @click=${() => void this.startOver()}>${label}</button>`;
    const actions = {
      loading: html`<button type="button" data-key="Escape" @click=${() => controller?.abort()}>Cancel</button>`,
      done: startOver("Load again"),
      paused: html`<button type="button" class="primary" @click=${() => void this.readAll()}>Resume</button>${startOver("Start over")}`,
    }[status === "failed" ? "paused" : status];
    return html`
      ${rangeProgress(reader, preview.bounds, this.query.params.sort, status, actions)}
      ${status === "failed" ? errorBox(this.error) : nothing}
      ${recordCount > newestRows.length ? html`<p class="note">Showing the newest ${formatInteger(newestRows.length)} of ${formatCount(recordCount, "record")}.</p>` : nothing}
      ${newestRows.length > 0 ? this.renderTable(newestRows) : nothing}`;
  }

  private renderTable(rows: readonly RangeRow[]): TemplateResult {
    const { kind, label } = this.query.type;
    return html`<aq-record-table .kind=${kind} .rows=${rows} .context=${this.context.cells} label=${label}></aq-record-table>`;
  }
}
