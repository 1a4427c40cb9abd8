// The export menu of a tab. Its code is loaded when the browser has nothing else to do.
import { html, type TemplateResult } from "lit";
import { whenIdle } from "../scheduling/when-idle.js";
import type { ExportSource } from "./source.js";

let isLoading = false;

function load(): void {
  if (isLoading) return;
  isLoading = true;
  whenIdle(() => void import("./export-menu.js"));
}

export function exportMenu<Row>(source: ExportSource<Row>): TemplateResult {
  load();
  return html`<aq-export-menu .source=${source}></aq-export-menu>`;
}
