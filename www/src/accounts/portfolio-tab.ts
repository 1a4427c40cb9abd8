// The portfolio of several accounts: holdings added up, the value of the coins by day, NFT collections, and what may be spam.
import type { AddressClient } from "address-query";
import type { Holding as PortfolioHolding, Portfolio, SpamReason } from "address-query/portfolio";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { readShared } from "../address/shared-reading.js";
import { line } from "../charts/line.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { formatAmountPair, formatCount, formatFiat } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { formatDay } from "../format/time.js";
import { card } from "../overview/card.js";
import { shareList } from "../overview/holdings.js";
import "../overview/overview.css";
import "../records/activity.css";
import { toHref, toTab } from "../route/route.js";
import { brief } from "../table/cells.js";
import type { TabContext } from "../table/context.js";
import { parseAccounts, readPortfolio } from "./accounts.js";

const MAX_HOLDINGS = 12;
const REASONS: Readonly<Record<SpamReason, string>> = {
  scam_token: "flagged by the instance",
  advertising: "its name advertises something",
  copied_name: "it copies the name of another token",
};

/** The head and the content of a card. */
type Card = readonly [head: Parameters<typeof card>[1], content: unknown];

@customElement("aq-portfolio-tab")
export class PortfolioTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  private readonly portfolio = new Reading(this, {
    args: () => [this.context.service.client, this.context.route.accounts] as const,
    task: ([client, list]: readonly [AddressClient, string]) => readShared(client, list, readPortfolio),
  });

  protected override render(): TemplateResult {
    return html`${this.portfolio.show(
      (portfolio) => this.renderPortfolio(portfolio),
      html`<span class="skeleton drawing tall" aria-hidden="true"></span>`,
    )}`;
  }

  private renderPortfolio({ holdings, days, nfts, spam, unpriced, accounts }: Portfolio): TemplateResult {
    const { route } = this.context;
    const chains = new Map(parseAccounts(route.accounts).map(({ service }) => [service.client.source.chainId ?? null, service]));
    const label = ({ chain_id }: { chain_id: number | null }) => (chains.size > 1 ? (chains.get(chain_id)?.label ?? "") : "");
    const toShare = (holding: PortfolioHolding) => {
      const coin = chains.get(holding.chain_id)?.coin;
      const symbol = holding.symbol ?? (holding.contract === null ? (coin?.symbol ?? "") : "");
      const amount = formatAmountPair(holding.amount, holding.decimals)?.brief ?? holding.amount;
      return {
        name: holding.name ?? (symbol || "Unnamed token"),
        detail: [`${amount} ${symbol}`.trim(), label(holding)].filter(Boolean).join(" · "),
        dollars: holding.value ?? "0",
      };
    };
    const priced = holdings.filter(({ value }) => value !== null);
    // A day that lacks more accounts than others would look like a loss.
    const lacking = Math.min(...days.map(({ missing }) => missing));
    const points = days.flatMap(({ date, value, missing }) =>
      value === null || missing > lacking
        ? []
        : [{ time: Date.parse(date), value: Number(value), date: formatDay(date), text: formatFiat(value) }],
    );
    const problems = accounts.flatMap(({ account, reasons }) => reasons.map((reason) => `${account}: ${reason}`));
    const worth: Card = [
      {
        title: "Worth",
        scope: `coins at the price of each day${lacking > 0 ? `, without ${formatCount(lacking, "address")}` : ""}`,
        list: ["History", toHref(toTab(route, "history"))],
      },
      line(points, ["Day", "Worth"]),
    ];
    const collections = nfts.map(
      (item) =>
        [
          item.token.name ?? item.token.symbol ?? "Unnamed collection",
          brief(item.amount, 0, ""),
          item.spam ? REASONS[item.spam] : label(item),
        ] as const,
    );
    const leftOut = spam.map(
      (item) =>
        [
          item.name ?? item.symbol ?? "Unnamed token",
          formatAmountPair(item.amount, item.decimals)?.brief ?? "",
          REASONS[item.reason],
        ] as const,
    );
    // The service lists few days: without two of them there is nothing to draw.
    const cards: readonly Card[] = [
      ...(points.length > 1 ? [worth] : []),
      [
        { title: "Holdings", scope: unpriced > 0 ? `${unpriced} without a price` : "" },
        shareList(priced.map(toShare), MAX_HOLDINGS),
      ],
      [{ title: "NFT collections", scope: nfts.length > 0 ? formatCount(nfts.length, "collection") : "" }, entries(collections)],
      [{ title: "Left out as spam", scope: "in no sum" }, entries(leftOut)],
    ];
    return html`${problems.length > 0 ? html`<p class="note"><bdi>${cleanText(problems.join(" "), 400)}</bdi></p>` : nothing}
      <div class="overview">
        ${cards.map(([head, content], index) => card(index % 2 === 0 ? "major" : "minor", head, content))}
      </div>`;
  }
}

/** Names, their figures, and details below the names. */
function entries(items: readonly (readonly [name: string, figure: unknown, detail: string])[]): TemplateResult {
  if (items.length === 0) return html`<p class="none">None.</p>`;
  return html`<ul class="entries">${items.map(
    ([
      name,
      figure,
      detail,
    ]) => html`<li><span class="entry"><bdi class="name">${cleanText(name, 60)}</bdi><span class="sub">${detail}</span></span>
      <span class="entry end"><span class="number">${figure}</span></span></li>`,
  )}</ul>`;
}
