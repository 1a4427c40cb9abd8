// The history as a feed: days, and for each transaction a sentence. Details of the events open below the sentence.
import type { HistoryEvent } from "address-query/history";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { NO_NAMES, readNames } from "../address/names.js";
import { readShared } from "../address/shared-reading.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { formatDay } from "../format/time.js";
import { assets, type Event, type Movement, sentenceIcon, toSentence } from "../records/sentence.js";
import { badge, brief, time, transaction } from "../table/cells.js";
import type { TabContext } from "../table/context.js";
import { setHeight, VirtualRows } from "../table/virtual-rows.js";
import { events as eventKind, KIND_LABELS, suspicionBadge } from "./events.js";
import { type FeedRow, toFeedRows } from "./feed-rows.js";

/** The heights of `history.css`. */
const [DAY_HEIGHT, ENTRY_HEIGHT] = [40, 58];
const MAX_ADDED = 2;

function toMovement({ direction, asset, amount: moved, from, to, timestamp }: HistoryEvent): Movement {
  const isIncoming = direction === "in";
  const own = asset.type === "native";
  return {
    hash: "",
    time: Date.parse(timestamp ?? ""),
    isIncoming,
    counterparty: (isIncoming ? from : to) ?? "",
    token: own ? null : asset.contract,
    symbol: own ? "" : asset.symbol || asset.name || "",
    decimals: own ? null : asset.decimals === null ? null : String(asset.decimals),
    amount: moved,
  };
}

function toEvent(items: readonly HistoryEvent[]): Event {
  const transaction = items.find(({ kind }) => kind === "transaction");
  const isFailed = transaction?.success === false;
  return {
    hash: items[0]?.transaction_hash ?? "",
    time: Date.parse(items[0]?.timestamp ?? ""),
    method: transaction?.method ?? "",
    isFailed,
    to: transaction?.to ?? null,
    fee: transaction?.fee ? BigInt(transaction.fee) : null,
    movements: isFailed
      ? []
      : items
          .filter(({ direction, amount, success }) => direction !== "self" && amount !== "0" && success !== false)
          .map(toMovement),
  };
}

@customElement("aq-feed")
export class Feed extends PageElement {
  @property({ attribute: false }) events: readonly HistoryEvent[] = [];
  @property({ attribute: false }) context!: TabContext;
  @state() private expanded: ReadonlySet<string> = new Set();
  private rows: readonly FeedRow[] = [];
  private readonly names = new Reading(this, {
    args: () => [this.context.service.client, this.context.route.address] as const,
    task: ([client, address]) => readShared(client, address, readNames),
  });
  private readonly virtual = new VirtualRows(this, {
    estimateHeight: (index) => (this.rows[index]?.day === undefined ? ENTRY_HEIGHT : DAY_HEIGHT),
    getTop: () => this.getBoundingClientRect().top,
    getMaxAdded: () => MAX_ADDED,
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("events")) this.rows = toFeedRows(this.events);
    this.virtual.update(this.rows.length, (index) => this.rows[index]?.key ?? "");
  }

  protected override render(): TemplateResult {
    const { items, before, after } = this.virtual.take();
    return html`<div class="spacer" ${ref(setHeight(before))}></div>
      ${repeat(
        items,
        ({ key }) => key,
        ({ index }) => this.renderRow(index),
      )}
      <div class="spacer" ${ref(setHeight(after))}></div>`;
  }

  private renderRow(index: number): unknown {
    const row = this.rows[index];
    if (row === undefined) return nothing;
    const isExpanded = this.expanded.has(row.key);
    return guard([row.key, row.events.length, index, isExpanded, this.context, this.names.current], () => {
      const content =
        row.day === undefined
          ? this.renderEntry(row, isExpanded)
          : html`<h2>${row.day ? formatDay(row.day) : "Unknown day"}</h2>`;
      return html`<div class=${row.day === undefined ? "feed-entry" : "feed-day"} data-index=${index} ${ref(this.virtual.measure)}>${content}</div>`;
    });
  }

  private renderEntry({ key, events }: FeedRow, isExpanded: boolean): TemplateResult {
    const { cells } = this.context;
    const [first] = events;
    const event = toEvent(events);
    const isCredit = first?.kind === "withdrawal" || first?.kind === "block_reward";
    const { look, words } = isCredit
      ? ({
          look: "in",
          words: html`Received ${assets(event.movements, cells)} as a ${KIND_LABELS[first.kind].toLowerCase()}`,
        } as const)
      : toSentence(event, this.names.current ?? NO_NAMES, cells);
    const suspicion = events.find((item) => item.suspicion)?.suspicion;
    return html`<div class="feed-line">
        ${sentenceIcon(look)}
        <span class="entry"><span class="sentence">${words} ${suspicion ? suspicionBadge(suspicion) : nothing}</span>
          <span class="sub">${time(first?.timestamp ?? null, cells)} · ${event.hash ? transaction(event.hash, cells) : badge(KIND_LABELS[first?.kind ?? "transaction"])}</span></span>
        ${event.fee === null ? nothing : html`<span class="entry end sub">fee ${brief(String(event.fee), cells.coin.decimals, cells.coin.symbol)}</span>`}
        <button type="button" class="expand" aria-expanded=${isExpanded ? "true" : "false"} aria-label="Details of ${events.length === 1 ? "1 event" : `${events.length} events`}" @click=${() => this.toggle(key)}></button>
      </div>
      ${isExpanded ? events.map((item) => html`<div class="feed-details">${badge(KIND_LABELS[item.kind])} ${eventKind.details?.(item, cells)}</div>`) : nothing}`;
  }

  private toggle(key: string): void {
    const expanded = new Set(this.expanded);
    if (!expanded.delete(key)) expanded.add(key);
    this.expanded = expanded;
  }
}
