// Shows the events of an address as they arrive.
import type { AddressClient } from "address-query";
import { type HistoryEvent, type RemovedEvent, type WatchState, type WatchStatus, watch } from "address-query/history";
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
import { STATES } from "./address-watch.js";
import { events } from "./events.js";
import { historyFilters } from "./history-list.js";

type LiveEvent = HistoryEvent & { isRemoved: boolean };

const liveEvents: RecordKind<LiveEvent> = {
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
  @state() private rows: readonly LiveEvent[] = [];
  /** Number of removed events that were not among the new ones. */
  @state() private removed = 0;
  @state() private since: number | null = null;
  @state() private error: unknown = null;
  @state() private status: WatchState = "polling";
  private controller: AbortController | null = null;
  /** Continues after the last event, if an error ended the watch. */
  private resumeToken: string | null = null;
  private sampleBlocks: ReturnType<typeof setInterval> | undefined;
  private watched = "";

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("context")) return;
    const { route } = this.context;
    const watched = [route.source, route.address, route.filters["include"], route.filters["exclude"]].join();
    if (watched === this.watched) return;
    this.watched = watched;
    this.stop();
    this.rows = [];
    this.removed = 0;
    this.resumeToken = null;
    this.since = null;
    this.error = null;
  }

  protected override render(): TemplateResult {
    const isWatching = this.controller !== null;
    const toggle = () => (isWatching ? this.stop() : void this.watch());
    return html`<button type="button" class="chip live-toggle" aria-pressed=${isWatching ? "true" : "false"} @click=${toggle}>Watch live</button>
      <section class="live" aria-label="New events">
        <p role="status">${this.describe(isWatching)}</p>
        ${this.error ? errorBox(this.error, () => void this.watch()) : nothing}
        ${
          this.rows.length > 0
            ? html`<aq-record-table .kind=${liveEvents} .rows=${this.rows} .context=${this.context.cells} label="New events" .total=${this.rows.length}></aq-record-table>`
            : nothing
        }
      </section>`;
  }

  private describe(isWatching: boolean): string {
    const removed = this.removed > 0 ? ` ${formatCount(this.removed, "earlier event")} no longer on the chain.` : "";
    const count = this.rows.length > 0 ? `${formatCount(this.rows.length, "new event")}.` : "";
    const { since, status } = this;
    if (isWatching)
      return `Watching since ${formatTime(since ?? Date.now())}, ${STATES[status]}. ${count || "No new events yet."}${removed}`;
    return this.since === null ? "" : `Stopped. ${count}${removed}`;
  }

  private async watch(): Promise<void> {
    const { service, route } = this.context;
    const controller = new AbortController();
    this.controller = controller;
    this.since ??= Date.now();
    this.error = null;
    if (route.source === "") this.growSample();
    try {
      await this.readEvents(service.client, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.stop();
      this.error = error;
    }
  }

  private async readEvents(client: AddressClient, signal: AbortSignal): Promise<void> {
    const { route } = this.context;
    const { include, exclude } = toParameters(historyFilters, route.filters) as Record<string, never>;
    const since = this.resumeToken ?? undefined;
    // Events of the sample chain have sockets of the sample service. Other sources have the default.
    const live = route.source === "" ? { WebSocket: (await import("../service/sample.js")).getSampleSocket() } : undefined;
    const onState = ({ state }: WatchStatus) => {
      if (!signal.aborted) this.status = state;
    };
    const call = watch(client, { address_hash: route.address, include, exclude, since, signal, live, onState });
    for await (const event of call) {
      this.resumeToken = call.resumeToken;
      this.add(event);
    }
  }

  private add(event: HistoryEvent | RemovedEvent): void {
    if (event.kind !== "removed") {
      this.rows = [{ ...event, isRemoved: false }, ...this.rows];
      announce("A new event arrived");
    } else if (this.rows.some(({ key }) => key === event.key)) {
      this.rows = this.rows.map((row) => (row.key === event.key ? { ...row, isRemoved: true } : row));
    } else {
      this.removed += 1;
    }
  }

  private growSample(): void {
    this.sampleBlocks = setInterval(
      () => void import("../service/sample.js").then(({ growSample }) => growSample()),
      SAMPLE_BLOCK_MS,
    );
  }

  private stop(): void {
    this.controller?.abort();
    this.controller = null;
    clearInterval(this.sampleBlocks);
    this.requestUpdate();
  }
}
