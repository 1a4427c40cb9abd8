// The holdings of an address: its coins and its most valuable tokens, as shares of the whole.
import { type AddressInfo, fiatValue, sumDecimals } from "address-query";
import { html, type TemplateResult } from "lit";
import type { TokenValue } from "../address/token-value.js";
import { shares } from "../charts/shares.js";
import { formatAmountPair, formatFiat } from "../format/number.js";
import { cleanText } from "../format/text.js";
import type { CellContext } from "../table/context.js";

/** Holdings that get a separate line. The others share one. */
const MAX_SHOWN = 4;

export interface Holding {
  name: string;
  detail: string;
  /** A decimal string. */
  dollars: string;
}

export function holdings(
  { coin_balance, exchange_rate }: AddressInfo,
  tokens: TokenValue,
  { coin }: CellContext,
): TemplateResult {
  const coins = fiatValue(coin_balance, { ...coin, exchange_rate });
  const pair = coin_balance === null ? null : formatAmountPair(coin_balance, coin.decimals);
  const own = coins === null ? [] : [{ name: coin.symbol, detail: pair?.brief ?? "", dollars: coins }];
  return shareList(
    [...own, ...tokens.holdings].sort((a, b) => Number(b.dollars) - Number(a.dollars)),
    MAX_SHOWN,
  );
}

const sum = (items: readonly Holding[]): string => sumDecimals(items.map(({ dollars }) => dollars));

/** The first items as shares of the whole, and the others together. `all` is sorted. */
export function shareList(all: readonly Holding[], max: number): TemplateResult {
  const total = Number(sum(all));
  if (total === 0) return html`<p class="none">Nothing with a price.</p>`;
  const tail = all.length > max + 1 ? all.slice(max) : [];
  const rest = { name: `${tail.length} more`, detail: "", dollars: sum(tail) };
  const items = tail.length === 0 ? all : [...all.slice(0, max), rest];
  const toShare = ({ dollars }: Holding) => Number(dollars) / total;
  const percent = (share: number) => `${(share * 100).toFixed(share < 0.01 ? 2 : 1)} %`;
  return html`${shares(items.map(toShare))}
    <ul class="entries">${items.map(
      (item, index) => html`<li><i class="dot share-${Math.min(index, 5)}"></i>
        <span class="entry"><bdi class="name">${cleanText(item.name, 60)}</bdi><bdi class="sub text">${cleanText(item.detail, 60)}</bdi></span>
        <span class="entry end"><span class="number">${formatFiat(item.dollars)}</span><span class="sub">${percent(toShare(item))}</span></span></li>`,
    )}</ul>`;
}
