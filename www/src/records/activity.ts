// An activity of an address as a line: an icon, a sentence, and the time.
import type { Activity, ActivityKind, ActivityLeg, SentencePart, TemplateActivity, TemplateLeg } from "address-query/history";
import { sumDecimals } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import type { IconNode } from "lucide";
import { ArrowDown, ArrowLeftRight, ArrowUp, Code, X } from "lucide";
import { icon } from "../components/icon.js";
import { toChecksumAddress } from "../format/checksum.js";
import { formatFiat } from "../format/number.js";
import { cleanText, shortenHash } from "../format/text.js";
import { toAddress, toHref } from "../route/route.js";
import { badge, brief, time, tokenId, transaction } from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import "./activity.css";

export type Look = "in" | "out" | "both" | "call" | "failed";

const ICONS: Readonly<Record<Look, IconNode>> = { in: ArrowDown, out: ArrowUp, both: ArrowLeftRight, call: Code, failed: X };

/** Other kinds are a `call`. */
const LOOKS: Partial<Record<ActivityKind, Look>> = {
  receive: "in",
  airdrop: "in",
  reward: "in",
  withdrawal: "in",
  send: "out",
  burn: "out",
  deposit: "out",
  swap: "both",
  wrap: "both",
  unwrap: "both",
  mint: "both",
  bridge: "both",
  failed: "failed",
  spam: "failed",
};

/** An icon in the colour of its meaning. */
export const lookIcon = (look: Look): TemplateResult => html`<span class="round ${look}">${icon(ICONS[look])}</span>`;

/** An address by its name, or else by its hash. It links to its own page. */
export function party({ hash, name }: { hash: string; name: string | null }, { route, chainId }: CellContext): TemplateResult {
  const checksummed = toChecksumAddress(hash, chainId);
  return html`<a class=${name ? "" : "mono"} data-address=${hash} href=${toHref(toAddress(route, checksummed))}><bdi>${name ? cleanText(name, 40) : shortenHash(checksummed)}</bdi></a>`;
}

function assetAmount({ asset, amount }: ActivityLeg, { coin }: CellContext): TemplateResult {
  if (asset.type === "native") return brief(amount, coin.decimals, coin.symbol);
  const symbol = asset.symbol || asset.name;
  if (asset.token_id === null) return amount === null ? badge("confidential") : brief(amount, asset.decimals, symbol);
  return html`${amount === null || amount === "1" ? nothing : html`${brief(amount, asset.decimals, null)} × `}<bdi>${cleanText(symbol ?? "", 40)}</bdi> ${tokenId(asset.token_id)}`;
}

function renderPart(part: SentencePart, cells: CellContext): unknown {
  if ("text" in part) return part.text;
  if ("method" in part) return html`<strong><bdi>${cleanText(part.method, 40)}</bdi></strong>`;
  const shown = "leg" in part ? html`<strong>${assetAmount(part.leg, cells)}</strong>` : party(part.party, cells);
  return part.more > 0 ? html`${shown} and ${part.more} more` : shown;
}

/** The value of some legs on their day. Null: a price is missing, or there are none. */
function sumLegs(legs: readonly TemplateLeg[]): string | null {
  const values = legs.flatMap(({ fiat }) => fiat?.value ?? []);
  return values.length === 0 || values.length < legs.length ? null : formatFiat(sumDecimals(values));
}

/** What came in was worth on that day, or else what went out. */
function worth({ sent, received }: TemplateActivity): TemplateResult | typeof nothing {
  const value = sumLegs(received) ?? sumLegs(sent);
  const sign = sent.length === 0 ? "+" : received.length === 0 ? "−" : "";
  return value === null ? nothing : html`<span class="number" title="At the price of that day">${sign}${value}</span>`;
}

/** The icon and the text of a line. `marks` are shown after the sentence. */
export function activityLine(activity: Activity, cells: CellContext, marks: unknown = nothing): TemplateResult {
  const { kind, timestamp, transaction_hash, fee } = activity;
  return html`${lookIcon(LOOKS[kind] ?? "call")}
    <span class="entry"><span class="sentence">${activity.sentence().map((part) => renderPart(part, cells))} ${marks}</span>
      <span class="sub">${time(timestamp, cells)}${transaction_hash === null ? nothing : html` · ${transaction(transaction_hash, cells)}`}</span></span>
    <span class="entry end cost">${worth(activity)}${fee === null ? nothing : html`<span class="sub">fee ${brief(fee, cells.coin.decimals, cells.coin.symbol)}</span>`}</span>`;
}
