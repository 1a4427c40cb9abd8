// A chart of the small set: a drawing with exact values under the pointer, and the table of the same values.
import { html, nothing, type TemplateResult } from "lit";
import "./small-charts.css";

export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/** The drawing is described by `label`. The table opens below it, for the keyboard, screen readers and exact values. */
export function chart(label: string, drawing: unknown, { columns, rows }: ChartTable): TemplateResult {
  return html`<figure class="chart">
    <div class="chart-drawing" role="img" aria-label=${label}>${drawing}</div>
    ${
      rows.length === 0
        ? nothing
        : html`<details class="chart-table"><summary>Table</summary><div class="chart-rows" tabindex="0" role="region" aria-label="${label}, as a table">
          <table><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
          <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details>`
    }
  </figure>`;
}
