// The first tab of an address: what it is, at a glance. Nothing here is read before the visible list.
import type { AddressClient } from "address-query";
import { activitySpan } from "address-query/history";
import type { StatusRenderer } from "@lit/task";
import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { readCounters, readInfo, readShared, readTokens } from "../address/shared-reading.js";
import { ChevronDown } from "lucide";
import { readDailyBalances, toBalancePoints, toWorthPoints } from "../charts/balance-points.js";
import { line } from "../charts/line.js";
import { PageElement } from "../components/element.js";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { initialState, Reading, TaskStatus } from "../components/reading.js";
import { formatCount } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { formatDay } from "../format/time.js";
import { activityLine } from "../records/activity.js";
import { toHref, toTab } from "../route/route.js";
import { whenIdle } from "../scheduling/when-idle.js";
import type { CellContext, TabContext } from "../table/context.js";
import { card } from "./card.js";
import { calendarOfYear, counterparties, months } from "./drawings.js";
import { facts } from "./facts.js";
import { holdings } from "./holdings.js";
import { type Asset, forgetRecent, type Recent, readRecent, toTokens } from "./recent.js";
import "./overview.css";

const MAX_ASSETS = 6;
const MAX_LATEST = 6;
const [low, tall] = ["low", "tall"].map((size) => html`<span class="skeleton drawing ${size}" aria-hidden="true"></span>`);
/** A chart needs more than a few days. */
const MIN_PRICED_DAYS = 7;

const readFirst = (client: AddressClient, address_hash: string) =>
  activitySpan(client, { address_hash }).then(({ first }) => first?.timestamp ?? "");

/** Shows what was read so far while it reads on. */
class RecentReading extends Reading<readonly [AddressClient, string], Recent> {
  soFar: Recent | undefined;

  override get current(): Recent | undefined {
    return this.status === TaskStatus.PENDING ? this.soFar : super.current;
  }

  override render<Renderer extends StatusRenderer<Recent>>(renderer: Renderer) {
    const { soFar } = this;
    const shown = soFar ? { ...renderer, pending: () => renderer.complete?.(soFar) } : renderer;
    return super.render(shown as Renderer);
  }
}

@customElement("aq-overview-tab")
export class OverviewTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  private readonly readings = {
    info: this.read(readInfo),
    counters: this.read(readCounters),
    tokens: this.read(readTokens),
  };
  private readonly recent: RecentReading = new RecentReading(this, {
    args: () => this.subject,
    task: async ([client, address], { signal }) => {
      this.recent.soFar = undefined;
      let recent: Recent = { activities: [], since: null };
      for await (recent of readRecent(client, address, signal)) {
        this.recent.soFar = recent;
        this.requestUpdate();
      }
      return recent;
    },
  });
  private readonly first = new Reading(this, {
    args: () => [...this.subject, this.oldest] as const,
    task: async ([client, address, oldest]) =>
      oldest === undefined ? initialState : (oldest ?? readShared(client, address, readFirst)),
  });
  /** The asset that was chosen. Null: the native coin. */
  @state() private asset: Asset | null = null;
  private readonly balances = this.read(readDailyBalances);

  private get subject() {
    return [this.context.service.client, this.context.route.address] as const;
  }

  /** The time of the oldest activity. "": there is none. Null: it was not read. Undefined: not known yet. */
  private get oldest(): string | null | undefined {
    const { recent } = this;
    if (recent.status !== TaskStatus.COMPLETE || !recent.value) return undefined;
    return recent.value.since === null ? (recent.value.activities.at(-1)?.timestamp ?? "") : null;
  }

  private read<Value>(read: (client: AddressClient, address: string) => PromiseLike<Value>) {
    return new Reading(this, {
      args: () => this.subject,
      task: ([client, address]) => readShared(client, address, read),
    });
  }

  protected override firstUpdated(): void {
    whenIdle(() => void import("../approvals/approvals-card.js"));
    whenIdle(() => void import("../history/history-periods.js"));
    whenIdle(() => void import("../history/new-events.js"));
  }

  private async reload(): Promise<void> {
    await forgetRecent(...this.subject);
    void this.recent.run();
  }

  protected override render(): TemplateResult {
    const { route, cells } = this.context;
    const { recent } = this;
    const { info, tokens } = this.readings;
    const link = (tab: string) => toHref(toTab(route, tab));
    const scope = recent.current ? describeScope(recent.current) : "";
    const start = recent.current ? describeStart(recent.current) : "";
    const tokenScope = tokens.current?.isPartial ? "of the first 100 tokens" : "";
    const coin: Asset = { contract: "", ...cells.coin };
    const worth = this.balances.current ? toWorthPoints(this.balances.current, cells.coin) : [];
    const isPriced = worth.length >= MIN_PRICED_DAYS;
    const balance = this.balances.show(
      (daily) =>
        isPriced
          ? line("Worth by day", worth, ["Day", "Worth"])
          : line("Balance by day", toBalancePoints(daily, cells.coin), ["Day", "Balance"], true),
      tall,
    );
    const held = info.show((shown) => tokens.show((value) => holdings(shown, value, cells), tall), tall);
    const activity = recent.show(calendarOfYear, low);
    const moved = recent.show((value) => months(value, this.asset ?? coin), low);
    const sentences = recent.show((value) => latest(value, cells), tall);
    const others = recent.show((value) => counterparties(value, route.address, cells), tall);
    const newest = recent.status === TaskStatus.COMPLETE && (recent.value?.activities ?? false);
    return html`<aq-new-events .tab=${"overview"} .rows=${newest} .context=${this.context} @click=${() => void this.reload()}></aq-new-events>
    <div class="overview">
      <section class="card wide" aria-label="Summary">${facts({ ...this.readings, recent, first: this.first }, cells)}</section>
      ${card("major", { title: isPriced ? "Worth" : "Balance", scope: isPriced ? `${coin.symbol} at the price of each day` : `${coin.symbol} by day`, list: ["Balance history", link("balance-history")] }, balance)}
      ${card("minor", { title: "Holdings", scope: tokenScope, list: ["Tokens", link("tokens")] }, held)}
      ${card("major", { title: "Activity", scope, list: ["History", link("history")] }, html`${activity}<aq-history-periods .context=${this.context}></aq-history-periods>`)}
      ${card("minor", { title: "In and out", scope: [this.renderAssets(coin), start], list: ["Transfers", link("token-transfers")] }, moved)}
      ${card("wide", { title: "Approvals at risk", list: ["Approvals", link("approvals")] }, html`<aq-approvals-card .context=${this.context}></aq-approvals-card>`)}
      ${card("major", { title: "Latest", list: ["History", link("history")] }, sentences)}
      ${card("minor", { title: "Top counterparties", scope: start, list: ["Transfers", link("token-transfers")] }, others)}
    </div>`;
  }

  /** Chooses the asset whose movements are shown by month. */
  private renderAssets(coin: Asset): TemplateResult {
    const assets = [coin, ...toTokens(this.recent.current?.activities ?? []).slice(0, MAX_ASSETS)];
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
