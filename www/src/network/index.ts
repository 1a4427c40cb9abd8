// The network drawer. Its code is loaded when the browser has nothing else to do.
import { html, type TemplateResult } from "lit";
import { whenIdle } from "../scheduling/when-idle.js";

whenIdle(() => void import("./network-drawer.js"));

/** `source` comes from the route. Only the sample data, whose source is empty, can have faults. */
export const networkDrawer = (source: string): TemplateResult =>
  html`<aq-network-drawer ?sample=${source === ""}></aq-network-drawer>`;
