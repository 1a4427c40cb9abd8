// A chart of the small set: a drawing, the exact value under the pointer or the keyboard, and the table of all values.
import { html, type TemplateResult } from "lit";
import { moveToMark, showMark } from "./marks.js";
import "./small-charts.css";

export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/**
 * The drawing is described by `label`. Its elements with a `<title>` are its marks: the arrow keys move over them, and the value of
 * one is shown below. `stride` is the distance of a mark from the one beside it, where columns have several.
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
