// The history as a feed: days, and a sentence for each activity. Details of the events open below the sentence.
import type { Activity } from "address-query/history";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { findAccount, toCells } from "../accounts/accounts.js";
import { PageElement } from "../components/element.js";
import { formatCount } from "../format/number.js";
import { shortenHash } from "../format/text.js";
import { formatDay } from "../format/time.js";
import { activityLine } from "../records/activity.js";
import { badge } from "../table/cells.js";
import type { TabContext } from "../table/context.js";
import { setHeight, VirtualRows } from "../table/virtual-rows.js";
import { events as eventKind, KIND_LABELS, suspicionBadge } from "./events.js";
import { type FeedRow, toFeedRows } from "./feed-rows.js";

/** The heights of `history.css`. */
const [DAY_HEIGHT, ENTRY_HEIGHT] = [40, 58];
const MAX_ADDED = 2;

@customElement("aq-feed")
export class Feed extends PageElement {
  @property({ attribute: false }) activities: readonly Activity[] = [];
  @property({ attribute: false }) context!: TabContext;
  @state() private expanded: ReadonlySet<string> = new Set();
  private rows: readonly FeedRow[] = [];
  private readonly virtual = new VirtualRows(this, {
    estimateHeight: (index) => (this.rows[index]?.activity ? ENTRY_HEIGHT : DAY_HEIGHT),
    getTop: () => this.getBoundingClientRect().top,
    getMaxAdded: () => MAX_ADDED,
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("activities")) this.rows = toFeedRows(this.activities);
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
    return guard([row.key, row.activity, index, isExpanded, this.context], () => {
      const content = row.activity
        ? this.renderEntry(row.activity, isExpanded)
        : html`<h2>${row.day ? formatDay(row.day) : "Unknown day"}</h2>`;
      return html`<div class=${row.activity ? "feed-entry" : "feed-day"} data-index=${index} ${ref(this.virtual.measure)}>${content}</div>`;
    });
  }

  private renderEntry(activity: Activity, isExpanded: boolean): TemplateResult {
    const { events, marks, key } = activity;
    const { route } = this.context.cells;
    const account = route.accounts ? findAccount(route.accounts, activity) : undefined;
    const cells = account ? toCells(this.context.cells, account) : this.context.cells;
    const owner = account ? badge(`${shortenHash(account.address_hash)} on ${account.service.label}`) : nothing;
    return html`<div class="feed-line">
        ${activityLine(activity, cells, [owner, ...marks.map(suspicionBadge)])}
        <button type="button" class="expand" aria-expanded=${isExpanded ? "true" : "false"} aria-label="Details of ${formatCount(events.length, "event")}" @click=${() => this.toggle(key)}></button>
      </div>
      ${isExpanded ? events.map((item) => html`<div class="feed-details">${badge(KIND_LABELS[item.kind])} ${eventKind.details?.(item, cells)}</div>`) : nothing}`;
  }

  private toggle(key: string): void {
    const expanded = new Set(this.expanded);
    if (!expanded.delete(key)) expanded.add(key);
    this.expanded = expanded;
  }
}
