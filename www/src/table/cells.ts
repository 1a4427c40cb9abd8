// The cells of all tables. Text from the chain is added as text, never as HTML.
import type { AddressRef, Token, TransferTotal } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { addressName, isScam } from "../format/address-name.js";
import { now } from "../format/clock.js";
import { formatAmountPair, formatInteger } from "../format/number.js";
import { cleanText, isSameAddress, shortenHash } from "../format/text.js";
import { formatAge, formatTime } from "../format/time.js";
import { toAddress, toHref, toPage } from "../route/route.js";
import type { CellContext } from "./context.js";

export type Tone = "plain" | "accent" | "good" | "out" | "warn" | "bad";

/** A dash where there is no value; `reason` is its tooltip. */
export const none = (reason = "Not known"): TemplateResult => html`<span class="none" title=${reason}>—</span>`;

/** An untrusted string. `bdi` keeps its writing direction from reordering the surrounding text. */
export const text = (value: unknown, className = "text"): TemplateResult =>
  value === null || value === undefined || value === ""
    ? none()
    : html`<bdi class=${className} title=${cleanText(value)}>${cleanText(value)}</bdi>`;

export const badge = (value: unknown, tone: Tone = "plain"): TemplateResult =>
  html`<bdi class="badge ${tone}" title=${cleanText(value)}>${cleanText(value, 40)}</bdi>`;

export const integer = (value: number | string | null): TemplateResult =>
  value === null ? none() : html`<span class="number">${formatInteger(value)}</span>`;

/** The time of an ISO 8601 string, as an age or a date. The tooltip shows the other form. */
export function time(iso: string | null, { times }: CellContext): TemplateResult {
  const milliseconds = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(milliseconds)) return none("Unknown time");
  const [age, date] = [formatAge(milliseconds, now()), formatTime(milliseconds)];
  const [shown, title] = times === "relative" ? [age, date] : [date, age];
  return html`<time datetime=${iso} title=${title}>${shown}</time>`;
}

export const copyButton = (value: string, name: string): TemplateResult =>
  html`<button type="button" class="copy" data-copy=${value} aria-label="Copy ${name}" title="Copy ${name}"></button>`;

/** A shortened hex string with a copy button. */
export const hash = (value: string | null, name = "hash"): TemplateResult =>
  value === null
    ? none()
    : html`<span class="hash"><span class="mono" title=${cleanText(value)}>${cleanText(shortenHash(value))}</span>${copyButton(value, name)}</span>`;

/** A link to the page of a transaction, token or block. `label` is untrusted. */
export const pageLink = (show: string, id: string, label: string, { route }: CellContext, className = "mono"): TemplateResult =>
  html`<a class=${className} title=${cleanText(id)} dir="auto" href=${toHref(toPage(route, show, id))}>${cleanText(label)}</a>`;

export const transaction = (value: string | null, context: CellContext): TemplateResult =>
  value === null
    ? none()
    : html`<span class="hash">${pageLink("transaction", value, shortenHash(value), context)}${copyButton(value, "transaction hash")}</span>`;

export const block = (height: number | string | null, context: CellContext): TemplateResult =>
  height === null ? none() : pageLink("block", String(height), formatInteger(height), context, "number");

/** An address that links to its page, or to another one. `data-address` is for the hover card and the highlight. */
export function addressLink(
  value: string | null,
  { route }: CellContext,
  target = toAddress(route, value ?? ""),
): TemplateResult {
  if (value === null) return none("Unknown address");
  const label = cleanText(shortenHash(value));
  const isShown = target.address !== "" && isSameAddress(value, route.address);
  const link = isShown
    ? html`<span class="mono self" data-address=${value.toLowerCase()}>${label}</span>`
    : html`<a class="mono" data-address=${value.toLowerCase()} href=${toHref(target)}>${label}</a>`;
  return html`<span class="hash">${link}${copyButton(value, "address")}</span>`;
}

/** An address: its most specific name above its hash. */
export function address(ref: AddressRef | null, context: CellContext): TemplateResult {
  if (ref === null) return none();
  const name = addressName(ref);
  const badges = [isScam(ref) ? badge("scam", "bad") : nothing, ref.is_contract && !name ? badge("Contract") : nothing];
  const isShown = isSameAddress(ref.hash, context.route.address);
  return html`<span class="lines ${isShown ? "none" : ""}">
    ${name || isScam(ref) || ref.is_contract ? html`<span class="line">${name ? text(name, "name") : nothing}${badges}</span>` : nothing}
    ${addressLink(ref.hash, context)}
  </span>`;
}

/** The name of a token. Untrusted. */
export const tokenLabel = ({ name, symbol }: Token): string => name || symbol || "Unnamed token";

export function token(value: Token | null, context: CellContext): TemplateResult {
  if (value === null) return none("Unknown token");
  return html`<span class="lines">
    <span class="line">${text(tokenLabel(value), "name")}
      ${value.symbol && value.name ? text(value.symbol, "symbol") : nothing}
      ${value.reputation === "scam" ? badge("scam", "bad") : nothing}</span>
    <span class="line">${value.type ? badge(value.type) : nothing}${addressLink(value.address_hash, context, toPage(context.route, "token", value.address_hash))}</span>
  </span>`;
}

/** `value`, a string of base units, in whole units. The tooltip has all its digits. */
export function amount(
  value: string | null,
  decimals: string | number | null,
  symbol?: string | null,
  signed = false,
  form: "short" | "brief" = "short",
): TemplateResult {
  if (value === null) return none("Unknown amount");
  const pair = formatAmountPair(value, decimals);
  if (pair === null)
    return html`<span class="number" title="Invalid decimals; this is the raw value">${cleanText(value, 80)}</span>`;
  const isZero = /^-?0+$/.test(value);
  const sign = !signed || isZero ? "" : value.startsWith("-") ? "negative" : "positive";
  return html`<span class="number ${sign}" title="${pair.exact} (${value} base units)">${sign === "positive" ? "+" : ""}${pair[form]}${symbol ? html` ${text(symbol, "symbol")}` : nothing}</span>`;
}

/** An amount in a sentence or a summary. */
export const brief = (value: string | null, decimals: string | number | null, symbol: string | null): TemplateResult =>
  amount(value, decimals, symbol, false, "brief");

/** An amount of the native coin in wei. */
export const coins = (value: string | null, { coin }: CellContext, signed = false): TemplateResult =>
  amount(value, coin.decimals, coin.symbol, signed);

export const tokenId = (id: string): TemplateResult =>
  html`<span class="mono" title=${cleanText(id)}>#${cleanText(shortenHash(id, 8, 4))}</span>`;

/** What a token transfer moved: an amount, a token id, or both. */
export function transferTotal(total: TransferTotal | null, symbol: string | null): TemplateResult {
  if (total === null) return none("Unknown amount");
  const id = total.token_id === null ? null : tokenId(total.token_id);
  if (total.value === null) return id ?? badge("confidential");
  const moved = amount(total.value, total.decimals, id ? null : symbol);
  return id ? html`<span class="line">${moved}<span class="none">×</span>${id}</span>` : moved;
}

/** Any JSON value, as text of limited length. */
export const json = (value: unknown): TemplateResult => text(typeof value === "string" ? value : JSON.stringify(value), "mono");

/** IN, OUT or SELF, as seen from the current address. */
export function direction(from: string | undefined, to: string | undefined, { route }: CellContext): TemplateResult {
  const [isSender, isReceiver] = [isSameAddress(from, route.address), isSameAddress(to, route.address)];
  if (isSender && isReceiver) return badge("SELF");
  if (isSender) return badge("OUT", "out");
  return isReceiver ? badge("IN", "good") : none("Neither sender nor receiver");
}

/** Names and values below each other, for the details of a row. */
export const definitions = (entries: readonly (readonly [string, unknown])[]): TemplateResult =>
  html`<dl class="details">${entries.map(([name, value]) => html`<div><dt><bdi>${cleanText(name, 80)}</bdi></dt><dd>${value}</dd></div>`)}</dl>`;
