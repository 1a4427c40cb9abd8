// Shows the events of an address as they arrive.
import type { HistoryEvent } from "address-query/history";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { announce } from "../components/copy.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { formatCount } from "../format/number.js";
import { formatTime } from "../format/time.js";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import "../table/record-table.js";
import { toParameters } from "../lists/filters.js";
import type { TabContext } from "../table/context.js";
import { type AddressWatch, type ArrivedEvent, STATES, watchAddress } from "./address-watch.js";
import { events } from "./events.js";
import { historyFilters } from "./history-list.js";

const liveEvents: RecordKind<ArrivedEvent> = {
  ...events,
  noun: "new event",
  columns: [
    {
      title: "State",
      width: "s",
      cell: ({ isRemoved }) => (isRemoved ? cells.badge("removed", "warn") : cells.badge("new", "accent")),
    },
    ...events.columns,
  ],
};

/** How often a block is added to the sample chain, in milliseconds. */
const SAMPLE_BLOCK_MS = 4000;

@customElement("aq-live-events")
export class LiveEvents extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  /** When it was started. Null: it was not. */
  @state() private since: number | null = null;
  private watch: AddressWatch | null = null;
  private unlisten: (() => void) | null = null;
  /** The keys of the events that had arrived before. */
  private known = new Set<string>();
  private count = 0;
  private sampleBlocks: ReturnType<typeof setInterval> | undefined;
  private subject = "";

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { route } = this.context;
    const subject = `${route.source} ${route.address}`;
    if (!changed.has("context") || subject === this.subject) return;
    this.subject = subject;
    this.stop();
    this.watch = null;
    this.since = null;
  }

  /** The new events that match the filters. */
  private get rows(): readonly ArrivedEvent[] {
    const { include, exclude } = toParameters(historyFilters, this.context.route.filters) as Record<string, string[] | undefined>;
    const isShown = ({ key, kind, suspicion }: HistoryEvent) =>
      !this.known.has(key) && include?.includes(kind) !== false && !(suspicion && exclude?.includes(suspicion));
    return this.watch?.events.filter(isShown) ?? [];
  }

  protected override render(): TemplateResult {
    const { rows, watch } = this;
    const isWatching = this.unlisten !== null;
    const toggle = () => (isWatching ? this.stop() : this.start());
    return html`<button type="button" class="chip live-toggle" aria-pressed=${isWatching ? "true" : "false"} @click=${toggle}>Watch live</button>
      <section class="live" aria-label="New events">
        <p role="status">${this.describe(isWatching, rows.length)}</p>
        ${watch?.error ? errorBox(watch.error, () => this.start()) : nothing}
        ${
          rows.length > 0
            ? html`<aq-record-table .kind=${liveEvents} .rows=${rows} .context=${this.context.cells} label="New events" .total=${rows.length}></aq-record-table>`
            : nothing
        }
      </section>`;
  }

  private describe(isWatching: boolean, found: number): string {
    const { since, watch } = this;
    if (since === null || watch === null) return "";
    const removed = watch.removed > 0 ? ` ${formatCount(watch.removed, "earlier event")} no longer on the chain.` : "";
    const count = found > 0 ? `${formatCount(found, "new event")}.` : "";
    return isWatching
      ? `Watching since ${formatTime(since)}, ${STATES[watch.state]}. ${count || "No new events yet."}${removed}`
      : `Stopped. ${count}${removed}`;
  }

  private start(): void {
    const { service, route } = this.context;
    const watch = watchAddress(service, route.address);
    if (this.watch === null) this.known = new Set(watch.events.map(({ key }) => key));
    this.watch = watch;
    this.since ??= Date.now();
    this.unlisten = watch.listen(() => this.onChange());
    if (route.source === "") this.growSample();
  }

  private onChange(): void {
    if (this.watch?.error) this.stop();
    if (this.rows.length > this.count) announce("A new event arrived");
    this.count = this.rows.length;
    this.requestUpdate();
  }

  private growSample(): void {
    this.sampleBlocks = setInterval(
      () => void import("../service/sample.js").then(({ growSample }) => growSample()),
      SAMPLE_BLOCK_MS,
    );
  }

  private stop(): void {
    this.unlisten?.();
    this.unlisten = null;
    clearInterval(this.sampleBlocks);
    this.requestUpdate();
  }
}
