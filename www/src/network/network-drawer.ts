// A drawer at the bottom of the page that shows what the client does, as it happens.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Activity } from "lucide";
import { PageElement } from "../components/element.js";
import { icon } from "../components/icon.js";
import { whenIdle } from "../scheduling/when-idle.js";
import { lazy } from "../format/lazy.js";
import { formatCount, formatInteger } from "../format/number.js";
import { networkLog } from "../service/network-log.js";
import { eventRow } from "./event-row.js";
import { summarize } from "./summary.js";
import "../components/stats.css";
import "./network.css";

/** The newest events. The log holds more, for the totals. */
const MAX_ROWS = 200;
/** The rate and the pauses change with time. */
const CLOCK_MS = 1000;

const rateFormat = lazy(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }));

@customElement("aq-network-drawer")
export class NetworkDrawer extends PageElement {
  /** Whether the page shows sample data, which can have faults. */
  @property({ type: Boolean }) sample = false;
  @state() private isOpen = false;
  private clock: ReturnType<typeof setInterval> | undefined;
  /** Whether an update is waiting for the next frame, or for the browser to be idle. */
  private isWaiting = false;
  /** All events of a frame are shown in one update. The count on the button of the closed drawer can wait. */
  private readonly onChange = () => {
    if (this.isWaiting) return;
    this.isWaiting = true;
    const update = () => {
      this.isWaiting = false;
      this.requestUpdate();
    };
    if (this.isOpen) requestAnimationFrame(update);
    else whenIdle(update);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("keydown", this.onKey);
    networkLog.addEventListener("change", this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    networkLog.removeEventListener("change", this.onChange);
    clearInterval(this.clock);
  }

  protected override render(): TemplateResult {
    const summary = summarize(networkLog.entries, Date.now());
    const state = summary.retries > 0 ? `, ${formatCount(summary.retries, "retry")}` : "";
    const name = `Network: ${formatCount(summary.requests, "request")}${state}`;
    return html`<button type="button" class="icon-button network-toggle ${summary.retries > 0 ? "warn" : ""}" aria-label=${name} title=${name}
        aria-expanded=${this.isOpen ? "true" : "false"} aria-controls="network-panel" @click=${this.toggle}>${icon(Activity)}</button>
      <aside id="network-panel" aria-label="Network" ?hidden=${!this.isOpen}>${this.isOpen ? this.renderPanel() : nothing}</aside>`;
  }

  private renderPanel(): TemplateResult {
    if (this.sample) void import("./fault-form.js");
    const summary = summarize(networkLog.entries, Date.now());
    const facts: [string, string][] = [
      ["Requests", formatInteger(summary.requests)],
      ["Retries", formatInteger(summary.retries)],
      ["Waits", formatInteger(summary.waits)],
      ["Schema drifts", formatInteger(summary.drifts)],
      ["Median response", summary.medianMs === null ? "—" : `${Math.round(summary.medianMs)} ms`],
      ["Rate", `${rateFormat().format(summary.rate)} requests/s`],
      ["Rate limit", summary.limit],
    ];
    const rows = networkLog.entries.slice(-MAX_ROWS).reverse();
    return html`
      <div class="network-head">
        <dl class="stats">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
        <button type="button" @click=${() => networkLog.clear()}>Clear</button>
        <button type="button" @click=${this.toggle}>Close</button>
      </div>
      ${this.sample ? html`<aq-fault-form></aq-fault-form>` : nothing}
      <div class="network-log" tabindex="0" role="region" aria-label="Events of the network">
        <table>
          <thead class="visually-hidden">
            <tr><th scope="col">Time</th><th scope="col">Event</th><th scope="col">Request</th><th scope="col">Duration</th><th scope="col">Result</th></tr>
          </thead>
          <tbody>${repeat(rows, (entry) => entry, eventRow)}</tbody>
        </table>
        ${rows.length === 0 ? html`<p class="empty">No requests yet.</p>` : nothing}
      </div>`;
  }

  private toggle(): void {
    this.isOpen = !this.isOpen;
    clearInterval(this.clock);
    if (this.isOpen) this.clock = setInterval(this.onChange, CLOCK_MS);
    else this.querySelector<HTMLElement>(".network-toggle")?.focus();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.isOpen) this.toggle();
  }
}
