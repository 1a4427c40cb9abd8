// The first tab of an address: what it is, at a glance. Nothing here is read before the visible list.
import type { AddressClient } from "address-query";
import { activitySpan } from "address-query/history";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { failedPart } from "../address/fact.js";
import { forgetShared, readCounters, readInfo, readShared, readTokens } from "../address/shared-reading.js";
import { ChevronDown } from "lucide";
import { readDailyBalances, toBalancePoints, toWorthPoints } from "../charts/balance-points.js";
import { line } from "../charts/line.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { updateCopy } from "../history/copy.js";
import { partError, storedNote } from "../history/stored-note.js";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { initialState, Reading, TaskStatus } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { formatCount } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { formatDay } from "../format/time.js";
import { activityLine } from "../records/activity.js";
import { toHref, toTab } from "../route/route.js";
import { whenIdle } from "../scheduling/when-idle.js";
import { none, time } from "../table/cells.js";
import type { CellContext, TabContext } from "../table/context.js";
import { card } from "./card.js";
import { calendarOfYear, counterparties, months } from "./drawings.js";
import { facts } from "./facts.js";
import { holdings } from "./holdings.js";
import { type Asset, type Recent, readRecent, readStored, toTokens } from "./recent.js";
import "./overview.css";

const MAX_ASSETS = 6;
const MAX_LATEST = 6;
const [low, tall] = ["low", "tall"].map((size) => html`<span class="skeleton drawing ${size}" aria-hidden="true"></span>`);
/** A chart needs more than a few days. */
const MIN_PRICED_DAYS = 7;

const readFirst = (client: AddressClient, address_hash: string) =>
  activitySpan(client, { address_hash }).then(({ first }) => first?.timestamp ?? "");

@customElement("aq-overview-tab")
export class OverviewTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  private readonly readings = {
    info: this.read(readInfo),
    counters: this.read(readCounters),
    tokens: this.read(readTokens),
    recent: this.read(readRecent),
  };
  /** The activities that an earlier visit has stored. They are shown until the recent ones are read, and if they cannot be read. */
  private readonly stored = this.read(readStored);
  /** Older activities, after a click or where few requests have a year of them. They are added to the recent ones. */
  private readonly older = new Reading(this, {
    args: () => [this.readings.recent.current, this.readings.recent.current?.isSparse] as const,
    task: ([recent, isWanted]) => (recent && isWanted ? recent.readMore() : initialState),
  });
  /** The address whose first activity was asked for. */
  @state() private asked = "";
  private readonly first = new Reading(this, {
    args: () => [...this.subject, this.asked] as const,
    task: ([client, address, asked]) => (asked === address ? readShared(client, address, readFirst) : initialState),
  });
  /** The asset that was chosen. Null: the native coin. */
  @state() private asset: Asset | null = null;
  private readonly balances = this.read(readDailyBalances);

  private get subject() {
    return [this.context.service.client, this.context.route.address] as const;
  }

  private read<Value>(read: (client: AddressClient, address: string) => PromiseLike<Value>) {
    return new Reading(this, {
      args: () => this.subject,
      task: ([client, address]) => readShared(client, address, read),
    });
  }

  protected override firstUpdated(): void {
    whenIdle(() => void import("../history/history-periods.js"));
    whenIdle(() => void import("../history/new-events.js"));
  }

  private reload(): void {
    for (const read of [readRecent, updateCopy]) forgetShared(this.context.service.client, read);
    void this.readings.recent.run();
  }

  protected override render(): TemplateResult {
    const { route, cells } = this.context;
    const { info, tokens, recent } = this.readings;
    recent.fallback = this.stored.current;
    const failed = recent.fallback ? partError : errorBox;
    const link = (tab: string) => toHref(toTab(route, tab));
    const scope = recent.current ? html`${describeScope(recent.current)} ${this.renderOlder(recent.current)}` : "";
    const start = recent.current ? describeStart(recent.current) : "";
    const tokenScope = tokens.current?.isPartial ? "of the first 100 tokens" : "";
    const coin: Asset = { contract: "", ...cells.coin };
    const worth = this.balances.current ? toWorthPoints(this.balances.current, cells.coin) : [];
    const isPriced = worth.length >= MIN_PRICED_DAYS;
    const balance = this.balances.show(
      (daily) => (isPriced ? line(worth, ["Day", "Worth"]) : line(toBalancePoints(daily, cells.coin), ["Day", "Balance"])),
      tall,
      failed,
    );
    const held = info.show((shown) => tokens.show((value) => holdings(shown, value, cells), tall, failed), tall, failed);
    const activity = recent.show(calendarOfYear, low);
    const moved = recent.show((value) => months(value, this.asset ?? coin), low);
    const sentences = recent.show((value) => latest(value, cells), tall);
    const others = recent.show((value) => counterparties(value, route.address, cells), tall);
    const newest = recent.status === TaskStatus.COMPLETE && (recent.value?.activities ?? false);
    return html`<aq-new-events .tab=${"overview"} .rows=${newest} .context=${this.context} @click=${this.reload}></aq-new-events>
    ${this.renderAge()}
    <div class="overview">
      <section class="card wide" aria-label="Summary">${facts({ ...this.readings, first: this.renderFirst() }, cells)}</section>
      ${card("major", { title: isPriced ? "Worth" : "Balance", scope: isPriced ? `${coin.symbol} at the price of each day` : `${coin.symbol} by day`, list: ["Balance history", link("balance-history")] }, balance)}
      ${card("minor", { title: "Holdings", scope: tokenScope, list: ["Tokens", link("tokens")] }, held)}
      ${card("major", { title: "Activity", scope, list: ["History", link("history")] }, html`${activity}<aq-history-periods .context=${this.context}></aq-history-periods>`)}
      ${card("minor", { title: "In and out", scope: [this.renderAssets(coin), start], list: ["Transfers", link("token-transfers")] }, moved)}
      ${card("major", { title: "Latest", list: ["History", link("history")] }, sentences)}
      ${card("minor", { title: "Top counterparties", scope: start, list: ["Transfers", link("token-transfers")] }, others)}
    </div>`;
  }

  /** How old the activities are, while they are those of an earlier visit. */
  private renderAge(): unknown {
    const { recent } = this.readings;
    if (!recent.fallback || recent.status === TaskStatus.COMPLETE) return nothing;
    const error = recent.status === TaskStatus.ERROR ? recent.error : null;
    return html`<div class="overview-age"><div class="card">${storedNote(recent.fallback.readAt, error, () => void recent.run())}</div></div>`;
  }

  /** A button that reads older activities, if there may be some. */
  private renderOlder(recent: Recent): unknown {
    if (recent.since === null) return nothing;
    const read = () => void this.older.run([recent, true]);
    const button = () => html`<button type="button" class="link" @click=${read}>Load more</button>`;
    return this.older.render({
      initial: button,
      pending: () => "Loading…",
      complete: button,
      error: (error) => failedPart("older activities", error, read),
    });
  }

  /** The time of the first activity. If it is not known, a button that finds it: that takes twelve requests. */
  private renderFirst(): unknown {
    const { cells, route } = this.context;
    const { current } = this.readings.recent;
    const show = (timestamp: string | null | undefined) => (timestamp ? time(timestamp, cells) : none("No activity"));
    if (current?.since === null) return show(current.activities.at(-1)?.timestamp);
    const ask = () => (this.asked = route.address);
    return this.first.render({
      initial: () => (current ? html`<button type="button" class="link" @click=${ask}>Find</button>` : skeleton("short")),
      pending: () => skeleton("short"),
      complete: show,
      error: (error) => failedPart("First activity", error, () => void this.first.run()),
    });
  }

  /** Chooses the asset whose movements are shown by month. */
  private renderAssets(coin: Asset): TemplateResult {
    const assets = [coin, ...toTokens(this.readings.recent.current?.activities ?? []).slice(0, MAX_ASSETS)];
    const shown = this.asset ?? coin;
    const option = (asset: Asset) => html`<label><input type="radio" name="asset" .checked=${asset.contract === shown.contract}
      @change=${() => (this.asset = asset)} /><bdi>${cleanText(asset.symbol, 30)}</bdi></label>`;
    const label = `${cleanText(shown.symbol, 20)} by month`;
    return html`<aq-menu .label=${label} look="link" .face=${html`<bdi>${label}</bdi>${icon(ChevronDown)}`}
      .content=${() => html`<fieldset class="options"><legend>Asset</legend>${assets.map(option)}</fieldset>`}></aq-menu>`;
  }
}

const latest = ({ activities }: Recent, cells: CellContext): TemplateResult =>
  activities.length === 0
    ? html`<p class="none">No transactions and no token transfers.</p>`
    : html`<ul class="entries">${activities.slice(0, MAX_LATEST).map((activity) => html`<li>${activityLine(activity, cells)}</li>`)}</ul>`;

/** Describes what the newest records cover. */
const describeScope = (recent: Recent): string => {
  const count = formatCount(recent.activities.length, "activity");
  return recent.since === null ? `all ${count}` : `the newest ${count}, ${describeStart(recent)}`;
};

/** Where the newest records begin. Empty if they are all records. */
const describeStart = ({ since }: Recent): string =>
  since === null ? "" : `since ${formatDay(new Date(since).toISOString().slice(0, 10))}`;
