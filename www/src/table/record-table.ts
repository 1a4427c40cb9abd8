// A table of records. Only the rows in view are in the document, however long the list is.
import { WindowVirtualizerController } from "@tanstack/lit-virtual";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { PageElement } from "../components/element.js";
import type { CellContext, Column, RecordKind, SortState } from "./columns.js";
import "./record-table.css";

const ROW_HEIGHT = 58;
/** Rows beyond the visible ones that are rendered as well. */
const OVERSCAN = 8;

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

  private readonly virtual = new WindowVirtualizerController<HTMLTableSectionElement>(this, {
    count: 0,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });

  protected override willUpdate(): void {
    const virtualizer = this.virtual.getVirtualizer();
    if (virtualizer.options.count !== this.rows.length) {
      virtualizer.setOptions({ ...virtualizer.options, count: this.rows.length });
    }
  }

  protected override updated(): void {
    // The rows start below the header of the page, whose height changes while its parts are read.
    const virtualizer = this.virtual.getVirtualizer();
    const top = Math.round(this.getBoundingClientRect().top + scrollY);
    if (Math.abs(virtualizer.options.scrollMargin - top) > 1) {
      virtualizer.setOptions({ ...virtualizer.options, scrollMargin: top });
      virtualizer.measure();
    }
  }

  protected override render(): TemplateResult {
    const virtualizer = this.virtual.getVirtualizer();
    const items = virtualizer.getVirtualItems();
    const margin = virtualizer.options.scrollMargin;
    const before = (items[0]?.start ?? margin) - margin;
    const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
    const { columns, details } = this.kind;
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${this.label}>
      <table aria-label=${this.label} aria-rowcount=${this.total < 0 ? -1 : this.total + 1}>
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

  private renderRow(index: number): TemplateResult | typeof nothing {
    const row = this.rows[index];
    if (row === undefined) return nothing;
    const { columns, details, noun } = this.kind;
    const isExpanded = this.expanded.has(row);
    const measure = (body: Element | undefined) => {
      if (body instanceof HTMLTableSectionElement) this.virtual.getVirtualizer().measureElement(body);
    };
    const position = this.offset + index;
    return html`<tbody data-index=${index} ${ref(measure)}>
      <tr aria-rowindex=${position + 2}>
        ${
          details
            ? html`<td class="w-expand"><button type="button" class="expand" aria-expanded=${isExpanded ? "true" : "false"}
                aria-label="Details of ${noun} ${position + 1}" @click=${() => this.toggle(row)}></button></td>`
            : nothing
        }
        ${columns.map(({ cell, align }) => html`<td class=${align ?? ""}>${cell(row, this.context)}</td>`)}
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
