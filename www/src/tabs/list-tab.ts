// Shows one list: its filters, its rows, and where it can be continued.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { settings } from "../app/settings.js";
import { formatCount, formatInteger } from "../format/number.js";
import { toFilters, toHref } from "../route/route.js";
import { ListReader } from "../table/list-reader.js";
import { forgetReader, getReader } from "../table/reader-cache.js";
import "../table/record-table.js";
import { filterForm, toParameters } from "./filters.js";
import type { ListDeclaration, TabContext } from "./tab.js";

/** How close to the end of the rows, in pixels, the next page is read. */
const READ_AHEAD = 1500;

@customElement("aq-list-tab")
export class ListTab<Row> extends PageElement {
  @property({ attribute: false }) list!: ListDeclaration<Row>;
  @property({ attribute: false }) context!: TabContext;

  private reader!: ListReader<Row>;
  private key = "";
  private readonly onChange = () => this.requestUpdate();
  private readonly onScroll = () => this.readAhead();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("scroll", this.onScroll, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("scroll", this.onScroll);
    this.leave();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("context") && !changed.has("list")) return;
    const key = `${this.list.id} ${toHref(this.context.route)}`;
    if (key !== this.key) this.open(key);
  }

  protected override updated(): void {
    if (this.reader.status === "idle" && this.reader.pages.length === 0) void this.reader.readNext();
    else this.readAhead();
  }

  /** Shows the list of the route. A list that was shown before continues with its rows, at its position. */
  private open(key: string): void {
    this.leave();
    this.key = key;
    const { service, route } = this.context;
    const { read, filters = [] } = this.list;
    const parameters = toParameters(filters, route.filters);
    this.reader = getReader(key, () => new ListReader<Row>((options) => read(service.client, route.address, parameters, options), route.resume));
    this.reader.addEventListener("change", this.onChange);
    const { scrollTop } = this.reader;
    void this.updateComplete.then(() => requestAnimationFrame(() => scrollTo({ top: scrollTop })));
  }

  private leave(): void {
    if (!this.reader) return;
    this.reader.scrollTop = scrollY;
    this.reader.removeEventListener("change", this.onChange);
    this.reader.cancel();
  }

  /** Reads the next page of an endless list before the reader of the page reaches its end. */
  private readAhead(): void {
    if (settings.paging !== "endless" || this.reader.status !== "idle" || !this.isConnected) return;
    if (this.getBoundingClientRect().bottom - innerHeight < READ_AHEAD) void this.reader.readNext();
  }

  /** Reads the list again from the beginning. */
  private reload(): void {
    forgetReader(this.key);
    this.reader.cancel();
    this.open(this.key);
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { list, reader, context } = this;
    const { route, navigate, cells } = context;
    const isPaged = settings.paging === "pages";
    const rows = isPaged ? (reader.pages[0]?.rows ?? []) : reader.rows;
    const isEmpty = reader.rows.length === 0 && reader.status === "complete";
    return html`
      ${filterForm(list.filters ?? [], route.filters, (filters) => navigate(toFilters(route, filters)))}
      <div class="list-status">
        <p role="status">${this.describe()}</p>
        ${reader.status === "reading" ? html`<button type="button" @click=${() => reader.cancel()}>Cancel</button>` : nothing}
        <button type="button" class="reload" @click=${() => this.reload()}>Refresh</button>
      </div>
      ${this.renderNote()}
      <div class="list-body" aria-busy=${reader.status === "reading" ? "true" : "false"} data-tab=${list.id}>
        ${
          isEmpty
            ? html`<p class="empty">No ${list.records.noun}s${Object.values(route.filters).some(Boolean) ? " match the filters" : ""}.</p>`
            : html`<aq-record-table .kind=${list.records} .rows=${rows} .context=${cells} .label=${list.label}
                .offset=${0} .total=${reader.status === "complete" && !isPaged ? rows.length : -1}></aq-record-table>`
        }
        ${reader.status === "failed" ? errorBox(reader.error, () => void reader.readNext()) : nothing}
        ${isPaged ? this.renderPaging() : this.renderMore()}
      </div>`;
  }

  private renderNote(): unknown {
    const first = this.reader.pages[0];
    const note = first && this.list.note?.(first.page as never);
    return note ? html`<p class="note">${note}</p>` : nothing;
  }

  private describe(): string {
    const { reader, list } = this;
    const { noun } = list.records;
    if (reader.status === "failed") return "Reading failed";
    if (reader.rows.length === 0) return reader.status === "reading" ? "Reading…" : reader.status === "complete" ? "" : "Cancelled";
    const count = formatCount(reader.rows.length, noun);
    if (settings.paging === "pages") return `Page ${formatInteger(this.context.route.page)}: ${count}`;
    return reader.status === "complete" ? `All ${count}` : `${count} so far${reader.status === "reading" ? ", reading more…" : ""}`;
  }

  private renderMore(): TemplateResult | typeof nothing {
    if (this.reader.status !== "idle") return nothing;
    return html`<p class="more"><button type="button" @click=${() => void this.reader.readNext()}>Read more</button></p>`;
  }

  private renderPaging(): TemplateResult {
    const { route, navigate } = this.context;
    const next = this.reader.pages[0]?.page.resumeToken ?? null;
    return html`<nav class="paging" aria-label="Pages">
      <button type="button" ?disabled=${route.page === 1} @click=${() => history.back()}>Previous</button>
      <button type="button" ?disabled=${route.page === 1} @click=${() => navigate({ ...route, page: 1, resume: null })}>First</button>
      <button type="button" ?disabled=${next === null} @click=${() => navigate({ ...route, page: route.page + 1, resume: next })}>Next</button>
    </nav>`;
  }
}
