// A table of records. Only the rows in view are in the document, however long the list is.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { PageElement } from "../components/element.js";
import type { RecordKind } from "./columns.js";
import type { CellContext } from "./context.js";
import { getCardClass, getRowHeight, hasCards } from "./row-height.js";
import { setHeight, VirtualRows } from "./virtual-rows.js";
import "./record-table.css";

/** Maximum number of rows added in one frame: a row has about 40 elements, and a card is larger. */
const MAX_ADDED_ROWS = 2;
const MAX_ADDED_CARDS = 1;

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
  /** Rows whose details are shown: the rows themselves, as their positions change with the order and the filters. */
  @state() private expanded: ReadonlySet<Row> = new Set();

  private rowHeight = 0;
  private readonly virtual = new VirtualRows(this, {
    estimateHeight: () => this.rowHeight,
    getTop: () => this.querySelector("thead")?.getBoundingClientRect().bottom ?? this.getBoundingClientRect().top,
    onResize: () => this.updateRowHeight(),
    getMaxAdded: () => (hasCards() ? MAX_ADDED_CARDS : MAX_ADDED_ROWS),
  });

  /** Updates the row height, which changes when the page becomes narrow or wide. */
  private updateRowHeight(): void {
    const rowHeight = getRowHeight(this.kind.columns.length);
    if (this.rowHeight === rowHeight) return;
    this.rowHeight = rowHeight;
    this.virtual.reset();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("kind")) this.updateRowHeight();
    this.virtual.update(this.rows.length);
  }

  protected override render(): TemplateResult {
    const { items, before, after } = this.virtual.take();
    const { columns, details } = this.kind;
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${this.label}>
      <table class=${getCardClass(columns.length)} aria-label=${this.label} aria-rowcount=${this.total < 0 ? -1 : this.total + 1}>
        <thead>
          <tr aria-rowindex="1">
            ${details ? html`<th scope="col" class="w-expand"><span class="visually-hidden">Details</span></th>` : nothing}
            ${columns.map(({ title, width, align }) => html`<th scope="col" class="w-${width} ${align ?? ""}">${title}</th>`)}
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

  /** Fills the space of rows that are not in the document. */
  private spacer(height: number): TemplateResult | typeof nothing {
    if (height <= 0) return nothing;
    return html`<tbody class="spacer" aria-hidden="true"><tr><td ${ref(setHeight(height))}></td></tr></tbody>`;
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
    return html`<tbody data-index=${index} ${ref(this.virtual.measure)}>
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
