// The frame of the small charts: a drawing, the exact value at the pointer or the keyboard focus, and a table of all values.
import { html, type TemplateResult } from "lit";
import { moveToMark, showMark } from "./marks.js";
import "./small-charts.css";

export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/**
 * Creates a chart that `label` describes. The elements of the drawing with a `<title>` are its marks: the arrow keys move between
 * them, and the value of the current one is shown below. `stride` is the number of marks per column.
 */
export function chart(label: string, drawing: unknown, { columns, rows }: ChartTable, stride = 1): TemplateResult {
  if (rows.length === 0)
    return html`<figure class="chart"><div class="chart-drawing" role="img" aria-label=${label}>${drawing}</div></figure>`;
  return html`<figure class="chart">
    <div class="chart-drawing" role="img" tabindex="0" aria-label="${label}. Arrow keys move between the values." data-stride=${stride}
      @keydown=${moveToMark} @pointerover=${showMark} @click=${showMark} @pointerleave=${showMark} @blur=${showMark}>${drawing}</div>
    <div class="chart-foot"><output></output>
      <details class="chart-table"><summary>Table</summary><div class="chart-rows" tabindex="0" role="region" aria-label="${label}, as a table">
        <table><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details></div>
  </figure>`;
}
