// A table of records. Only the rows in view are in the document, however long the list is.
import { WindowVirtualizerController, windowScroll } from "@tanstack/lit-virtual";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { PageElement } from "../components/element.js";
import { afterFrame } from "../components/next-task.js";
import { getScrollTop } from "../components/scroll-top.js";
import type { CellContext, Column, RecordKind, SortState } from "./columns.js";
import { getCardClass, getRowHeight, measureRow } from "./row-height.js";
import { MAX_ADDED_ROWS, moveWindow, type RowWindow } from "./row-window.js";
import "./record-table.css";

/** Rows beyond the visible ones that are rendered as well. */
const OVERSCAN = 4;
const NO_ROWS: RowWindow = { start: 0, end: 0 };

@customElement("aq-record-table")
export class RecordTable<Row> extends PageElement {
  @property({ attribute: false }) kind!: RecordKind<Row>;
  @property({ attribute: false }) rows: readonly Row[] = [];
  @property({ attribute: false }) context!: CellContext;
  @property() label = "";
  /** Position of the first row in the whole list, from 0. */
  @property({ type: Number }) offset = 0;
  /** Number of rows of the whole list, or -1 while it is not known. */
  @property({ type: Number }) total = -1;
  /** The order of rows that can be sorted. A click on a title dispatches `aq-sort` with the new order. */
  @property({ attribute: false }) sort: SortState | null = null;
  /** Rows whose details are shown: the rows themselves, as their positions change with the order and the filters. */
  @state() private expanded: ReadonlySet<Row> = new Set();

  /** The rows in the document. */
  private shown = NO_ROWS;
  /** Whether rows are missing that should be in the document, and whether the current frame has added its rows. */
  private isPartial = false;
  private isFull = false;
  private rowHeight = 0;

  private readonly virtual = new WindowVirtualizerController<HTMLTableSectionElement>(this, {
    count: 0,
    estimateSize: () => this.rowHeight,
    initialOffset: getScrollTop,
    initialRect: { width: innerWidth, height: innerHeight },
    measureElement: measureRow,
    overscan: OVERSCAN,
    // A new table leaves the window where it is.
    scrollToFn: (top, options, virtualizer) => options.adjustments && windowScroll(top, options, virtualizer),
  });
  private readonly measure = (body: Element | undefined) => {
    if (body instanceof HTMLTableSectionElement) this.virtual.getVirtualizer().measureElement(body);
  };
  /** The rows start below the header of the page, whose height changes while its parts are read, and the names of the columns. */
  private readonly pageSize = new ResizeObserver(() => this.place());

  override connectedCallback(): void {
    super.connectedCallback();
    this.pageSize.observe(document.body);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.pageSize.disconnect();
  }

  /** Rows have another height when the page becomes narrow or wide. */
  private updateRowHeight(): void {
    const rowHeight = getRowHeight(this.kind.columns.length);
    if (this.rowHeight === rowHeight) return;
    this.rowHeight = rowHeight;
    this.virtual.getVirtualizer().measure();
  }

  private place(): void {
    this.updateRowHeight();
    const virtualizer = this.virtual.getVirtualizer();
    const top = this.querySelector("thead")?.getBoundingClientRect().bottom ?? this.getBoundingClientRect().top;
    const scrollMargin = Math.round(top + scrollY);
    if (Math.abs(virtualizer.options.scrollMargin - scrollMargin) <= 1) return;
    virtualizer.setOptions({ ...virtualizer.options, scrollMargin });
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("kind")) this.updateRowHeight();
    const virtualizer = this.virtual.getVirtualizer();
    const count = this.rows.length;
    if (virtualizer.options.count !== count) virtualizer.setOptions({ ...virtualizer.options, count });
  }

  /** The rows to render now. Further ones follow in the next frames. */
  private takeItems() {
    const virtualizer = this.virtual.getVirtualizer();
    const items = virtualizer.getVirtualItems();
    const first = items[0]?.index ?? 0;
    const wanted = { start: first, end: first + items.length };
    const limit = this.isFull ? 0 : MAX_ADDED_ROWS;
    this.shown = moveWindow(this.shown, wanted, virtualizer.range?.startIndex ?? first, limit);
    const { start, end } = this.shown;
    this.isPartial = end - start < items.length;
    if (!this.isFull && items.length > 0) void this.waitForFrame();
    return items.slice(start - first, end - first);
  }

  private async waitForFrame(): Promise<void> {
    this.isFull = true;
    await afterFrame();
    this.isFull = false;
    // An update would make a table that was removed from the page scroll the window.
    if (this.isPartial && this.isConnected) this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const virtualizer = this.virtual.getVirtualizer();
    const items = this.takeItems();
    const margin = virtualizer.options.scrollMargin;
    const before = (items[0]?.start ?? margin) - margin;
    const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
    const { columns, details } = this.kind;
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${this.label}>
      <table class=${getCardClass(columns.length)} aria-label=${this.label} aria-rowcount=${this.total < 0 ? -1 : this.total + 1}>
        <thead>
          <tr aria-rowindex="1">
            ${details ? html`<th scope="col" class="w-expand"><span class="visually-hidden">Details</span></th>` : nothing}
            ${columns.map((column) => this.renderTitle(column))}
          </tr>
        </thead>
        ${this.spacer(before)}
        ${repeat(
          items,
          ({ key }) => key,
          ({ index }) => this.renderRow(index),
        )}
        ${this.spacer(after)}
      </table>
    </div>`;
  }

  private renderTitle({ title, width, align, sort }: Column<Row>): TemplateResult {
    const classes = `w-${width} ${align ?? ""}`;
    if (!this.sort || !sort) return html`<th scope="col" class=${classes}>${title}</th>`;
    const isSorted = this.sort.column === sort;
    const detail: SortState = { column: sort, isDescending: !(isSorted && this.sort.isDescending) };
    const order = isSorted ? (this.sort.isDescending ? "descending" : "ascending") : "none";
    const onClick = () => this.dispatchEvent(new CustomEvent("aq-sort", { detail }));
    return html`<th scope="col" class=${classes} aria-sort=${order}><button type="button" class="sort" @click=${onClick}>${title}</button></th>`;
  }

  /** Keeps the place of rows that are not in the document. Its height is set from script: the page allows no style attributes. */
  private spacer(height: number): TemplateResult | typeof nothing {
    if (height <= 0) return nothing;
    const setHeight = (cell: Element | undefined) => {
      if (cell instanceof HTMLElement) cell.style.height = `${height}px`;
    };
    return html`<tbody class="spacer" aria-hidden="true"><tr><td ${ref(setHeight)}></td></tr></tbody>`;
  }

  /** Renders a row only if what it shows has changed: most rows stay the same when others come into view. */
  private renderRow(index: number): unknown {
    const row = this.rows[index];
    if (row === undefined) return nothing;
    const isExpanded = this.expanded.has(row);
    const { kind, context, offset } = this;
    return guard([row, index, isExpanded, kind, context, offset], () => this.renderChangedRow(row, index, isExpanded));
  }

  private renderChangedRow(row: Row, index: number, isExpanded: boolean): TemplateResult {
    const { columns, details, noun } = this.kind;
    const position = this.offset + index;
    return html`<tbody data-index=${index} ${ref(this.measure)}>
      <tr aria-rowindex=${position + 2}>
        ${
          details
            ? html`<td class="w-expand"><button type="button" class="expand" aria-expanded=${isExpanded ? "true" : "false"}
                aria-label="Details of ${noun} ${position + 1}" @click=${() => this.toggle(row)}></button></td>`
            : nothing
        }
        ${columns.map(({ title, cell, align }) => html`<td class=${align ?? ""} data-title=${title}>${cell(row, this.context)}</td>`)}
      </tr>
      ${isExpanded && details ? html`<tr class="details-row"><td colspan=${columns.length + 1}>${details(row, this.context)}</td></tr>` : nothing}
    </tbody>`;
  }

  private toggle(row: Row): void {
    const expanded = new Set(this.expanded);
    if (!expanded.delete(row)) expanded.add(row);
    this.expanded = expanded;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "aq-record-table": RecordTable<unknown>;
  }
}
