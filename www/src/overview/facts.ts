// The facts of an address. Each is read independently.
import { type AddressCounters, type AddressInfo, fiatValue } from "address-query";
import type { Suspicion } from "address-query/history";
import { html, nothing, type TemplateResult } from "lit";
import { fact } from "../address/fact.js";
import { relations } from "../address/relations.js";
import type { TokenValue } from "../address/token-value.js";
import type { Reading } from "../components/reading.js";
import { isScam } from "../format/address-name.js";
import { formatCount, formatFiat } from "../format/number.js";
import { badge, brief, integer, none, type Tone, time } from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import type { Recent } from "./recent.js";

// biome-ignore lint/suspicious/noExplicitAny: readings with arguments of any kind
type Of<Value> = Reading<any, Value>;

/** Warnings about an address: scams, lookalike addresses, unverified code. */
function notes(info: AddressInfo | undefined, { activities }: Recent): TemplateResult {
  const count = (suspicion: Suspicion) => activities.filter(({ marks }) => marks.includes(suspicion)).length;
  const [scams, lookalikes] = [count("scam_token"), count("lookalike_address")];
  const found: [string, Tone][] = [];
  if (info && isScam(info)) found.push(["Flagged as scam", "bad"]);
  if (info?.is_contract && info.proxy_type !== "eip7702" && !info.is_verified) found.push(["Not verified", "warn"]);
  if (scams > 0) found.push([`${formatCount(scams, "transfer")} of scam tokens`, "bad"]);
  if (lookalikes > 0) found.push([formatCount(lookalikes, "lookalike"), "bad"]);
  if (found.length === 0) return html`<span class="none">Nothing suspicious found</span>`;
  return html`<span class="lines">${found.map(([text, tone]) => badge(text, tone))}</span>`;
}

interface Readings {
  info: Of<AddressInfo>;
  counters: Of<AddressCounters>;
  tokens: Of<TokenValue>;
  recent: Of<Recent>;
  /** The time of the oldest activity, as it is shown. */
  first: unknown;
}

export function facts({ info, counters, tokens, recent, first }: Readings, cells: CellContext): TemplateResult {
  const blocks = counters.current?.validations_count ?? "0";
  const related = info.current ? relations(info.current, cells) : [];
  return html`<dl class="facts">
    ${fact("Balance", info, (value) => balance(value, cells))}
    ${fact("Token value", tokens, tokenValue)}
    ${fact("Transactions", counters, (value) => html`${integer(value.transactions_count)}${gas(value.gas_usage_count)}`)}
    ${fact("Token transfers", counters, ({ token_transfers_count: count }) => integer(count))}
    ${fact("Last activity", recent, ({ activities: [last] }) => (last ? time(last.timestamp, cells) : none("No activity")))}
    <div class="fact"><dt>First activity</dt><dd>${first}</dd></div>
    ${fact("Notes", recent, (value) => notes(info.current, value))}
    ${blocks === "0" ? nothing : fact("Blocks validated", counters, () => integer(blocks))}
    ${related.map(([name, value]) => html`<div class="fact related-fact"><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

function balance(
  { coin_balance, exchange_rate, block_number_balance_updated_at: block }: AddressInfo,
  cells: CellContext,
): TemplateResult {
  const dollars = fiatValue(coin_balance, { ...cells.coin, exchange_rate });
  const note = block === null ? "" : `As of block ${block}`;
  return html`${brief(coin_balance, cells.coin.decimals, cells.coin.symbol)}
    ${dollars === null ? nothing : html`<span class="sub" title=${note}>${formatFiat(dollars)}</span>`}`;
}

const tokenValue = ({ dollars, count, isPartial }: TokenValue): TemplateResult => html`
  <span class="number">${isPartial ? "> " : ""}${formatFiat(dollars)}</span>
  <span class="sub">${count === 0 ? "No token with a price" : `${formatCount(count, "token")} with a price`}</span>`;

const gas = (used: string | null): TemplateResult | typeof nothing =>
  used === null || used === "0" ? nothing : html`<span class="sub">${integer(used)} gas used</span>`;
