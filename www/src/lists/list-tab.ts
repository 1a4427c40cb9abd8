// Shows one list: its filters, its rows, and how to continue it.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { RotateCw } from "lucide";
import { customElement, property } from "lit/decorators.js";
import { settings } from "../settings/settings.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { icon } from "../components/icon.js";
import { whenIdle } from "../scheduling/when-idle.js";
import { afterFrame, nextTask } from "../scheduling/next-task.js";
import { getScrollTop } from "../components/scroll-top.js";
import { rowsSkeleton } from "../components/skeleton.js";
import { formatCount, formatInteger } from "../format/number.js";
import { toFilters, toFirstPage, toHref, toSubject } from "../route/route.js";
import { networkLog } from "../service/network-log.js";
import { ListReader, type ReadPage } from "./list-reader.js";
import { forgetReader, getReader } from "./reader-cache.js";
import "../table/record-table.js";
import { filterChips } from "./filter-chips.js";
import { toParameters } from "./filters.js";
import { pagingButtons } from "./paging.js";
import type { ListDeclaration } from "./list.js";
import type { TabContext } from "../table/context.js";

/** How close to the end of the rows, in pixels, the next page is read. */
const READ_AHEAD = 1500;

/** Its code is loaded after the rows: only long waits are described. */
let describeActivity = (): string => "";

@customElement("aq-list-tab")
export class ListTab<Row> extends PageElement {
  @property({ attribute: false }) list!: ListDeclaration<Row>;
  @property({ attribute: false }) context!: TabContext;

  private reader!: ListReader<Row>;
  /** Identifies the list, its filters and the service. Other choices, such as a view, do not read the list again. */
  private key = "";
  private parameters: Record<string, never> = {};
  private readonly onChange = () => this.requestUpdate();
  private readonly onScroll = () => {
    // Not when the list is left: by then the page is shorter, and the browser has scrolled.
    this.reader.scrollTop = scrollY;
    void this.readAhead();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("scroll", this.onScroll, { passive: true });
    networkLog.addEventListener("change", this.onChange);
    whenIdle(() => void import("./list-export.js"));
    whenIdle(() => void (this.context.route.address && import("../history/new-events.js")));
    whenIdle(
      () =>
        void import("../service/activity.js").then((module) => {
          describeActivity = module.describeActivity;
          this.requestUpdate();
        }),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("scroll", this.onScroll);
    networkLog.removeEventListener("change", this.onChange);
    this.leave();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.toggleAttribute("data-aside", Boolean(this.list.aside));
    if (!changed.has("context") && !changed.has("list")) return;
    const { route } = this.context;
    const parameters = toParameters(this.list.filters ?? [], route.filters) as Record<string, never>;
    const key = JSON.stringify([settings.paging, toHref({ ...route, tab: this.list.id, filters: {} }), parameters]);
    if (key !== this.key) this.open(key, parameters);
  }

  protected override async updated(changed: PropertyValues<this>): Promise<void> {
    // This task has removed the rows of the previous list, which takes a while.
    if (changed.get("list")) await nextTask();
    if (!this.isConnected) return;
    if (this.reader.status === "idle" && this.reader.pages.length === 0) void this.reader.readNext();
    else void this.readAhead();
  }

  /** Shows the list of the route. A list that was shown before continues with its rows, at its position. */
  private open(key: string, parameters: Record<string, never>): void {
    this.leave();
    this.key = key;
    this.parameters = parameters;
    const { service, route } = this.context;
    const { read } = this.list;
    const readPage: ReadPage<Row> = (options) => read(service.client, toSubject(route), parameters, options);
    this.reader = getReader(key, (saved) => new ListReader(readPage, route.resume, saved));
    this.reader.addEventListener("change", this.onChange);
    // The request was cancelled when the list was left.
    if (this.reader.status === "cancelled") void this.reader.readNext();
    void this.restorePosition(this.reader);
    void this.showStored(this.reader);
  }

  private async showStored(reader: ListReader<Row>): Promise<void> {
    const { service, route } = this.context;
    if (reader.rows.length > 0 || route.resume !== null || Object.keys(this.parameters).length > 0) return;
    reader.showStored((await this.list.readStored?.(service.client, toSubject(route)).catch(() => null)) ?? null);
  }

  private async restorePosition(reader: ListReader<Row>): Promise<void> {
    const { scrollTop } = reader;
    const hadRows = reader.rows.length > 0;
    if (!hadRows && getScrollTop() > 0) scrollTo({ top: 0 });
    await Promise.all([reader.restore(), this.updateComplete]);
    requestAnimationFrame(() => {
      // The user may have scrolled while rows were read, or opened another list.
      if (reader !== this.reader || getScrollTop() === scrollTop) return;
      if (hadRows || getScrollTop() === 0) scrollTo({ top: scrollTop });
    });
  }

  private leave(): void {
    this.reader?.removeEventListener("change", this.onChange);
    this.reader?.cancel();
  }

  /** Reads the next page of an endless list before the user reaches its end. */
  private async readAhead(): Promise<void> {
    await afterFrame();
    if (settings.paging !== "endless" || this.reader.status !== "idle" || !this.isConnected) return;
    if (this.getBoundingClientRect().bottom - innerHeight < READ_AHEAD) void this.reader.readNext();
  }

  private reload(): void {
    forgetReader(this.key);
    this.open(this.key, this.parameters);
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { list, reader, context } = this;
    const isReading = reader.status === "reading";
    const isBusy = isReading || (reader.status === "idle" && reader.pages.length === 0);
    const onFilters = (filters: Record<string, string>) => context.navigate(toFilters(context.route, filters));
    return html`
      <div class="list-status">
        ${filterChips(list.filters ?? [], context.route.filters, onFilters, context.cells.chainId)}
        ${list.controls?.(context) ?? nothing}
        <p role="status">${this.describe()}</p>
        ${isReading ? html`<button type="button" data-key="Escape" @click=${() => reader.cancel()}>Cancel</button>` : nothing}
        <button type="button" class="icon-button" data-key="r" aria-label="Refresh" title="Refresh" @click=${() => this.reload()}>${icon(RotateCw)}</button>
        <aq-list-export .list=${list} .context=${context}></aq-list-export>
      </div>
      ${this.renderNote()}
      ${list.aside ? html`<div class="list-aside">${list.aside(context)}</div>` : nothing}
      <div class="list-body" aria-busy=${isBusy ? "true" : "false"} data-tab=${list.id}>
        <aq-new-events .tab=${list.id} .rows=${reader.pages.length > 0 && reader.rows} .context=${context} @click=${() => this.reload()}></aq-new-events>
        ${this.renderRows()} ${this.renderProblem()}
        ${settings.paging === "pages" ? pagingButtons(context, reader.pages.at(-1)?.page.resumeToken ?? null) : this.renderMore()}
      </div>`;
  }

  private renderNote(): unknown {
    const first = this.reader.pages[0];
    const { stored, status, error } = this.reader;
    if (stored && status !== "cancelled") return stored.renderNote(error, () => void this.reader.readNext());
    const note = first && this.list.note?.(first.page as never);
    return note ? html`<p class="note">${note}</p>` : nothing;
  }

  private renderRows(): unknown {
    const { list, reader, context } = this;
    if (reader.rows.length > 0) {
      const table = html`<aq-record-table
        .kind=${list.records}
        .rows=${reader.rows}
        .context=${context.cells}
        .label=${list.label}
        .total=${reader.status === "complete" && settings.paging === "endless" ? reader.rows.length : -1}
      ></aq-record-table>`;
      return list.renderRows?.(reader, context) ?? table;
    }
    if (reader.status === "complete") return html`<p class="empty">${this.describeEmpty()}</p>`;
    if (reader.status === "failed" || reader.status === "cancelled") return nothing;
    const isEmpty = reader.status === "idle" && reader.pages.length > 0;
    return isEmpty ? html`<p class="empty">This page is empty, but there are more pages.</p>` : rowsSkeleton;
  }

  private describeEmpty(): string {
    const isFiltered = Object.values(this.context.route.filters).some(Boolean);
    return `${this.list.label}: no records ${isFiltered ? "match the filters" : "found"}.`;
  }

  private renderProblem(): unknown {
    const { reader } = this;
    const { route, navigate } = this.context;
    const retry = () => void reader.readNext();
    if (reader.status === "cancelled")
      return html`<div class="empty"><h2>Cancelled</h2><button type="button" @click=${retry}>Retry</button></div>`;
    if (reader.status !== "failed" || reader.stored) return nothing;
    const first = html`<p><button type="button" @click=${() => navigate(toFirstPage(route))}>Go to first page</button></p>`;
    return html`${errorBox(reader.error, retry)}${route.resume === null ? nothing : first}`;
  }

  private describe(): string {
    const { reader, list } = this;
    const activity = reader.status === "reading" ? describeActivity() : "";
    if (reader.rows.length === 0 || reader.stored) return reader.status === "reading" ? `Loading… ${activity}`.trim() : "";
    const count = formatCount(reader.rows.length, list.records.noun);
    if (settings.paging === "pages") return `Page ${formatInteger(this.context.route.page)}: ${count}`;
    if (reader.status === "complete") return `All ${count}`;
    return reader.status === "reading" ? `${count} so far, loading more… ${activity}`.trim() : `${count} so far`;
  }

  private renderMore(): unknown {
    const { status, pages } = this.reader;
    if (status !== "idle" || pages.length === 0) return nothing;
    return html`<p class="more"><button type="button" data-key="n" @click=${() => void this.reader.readNext()}>Load more</button></p>`;
  }
}
