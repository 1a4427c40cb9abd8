// The latest transactions as sentences, one for each.
import { html, nothing, type TemplateResult } from "lit";
import type { IconNode } from "lucide";
import { ArrowDown, ArrowLeftRight, ArrowUp, Code, X } from "lucide";
import { icon } from "../components/icon.js";
import { cleanText, shortenHash } from "../format/text.js";
import { toAddress, toHref } from "../route/route.js";
import { amount, time } from "../table/cells.js";
import { toChecksumAddress } from "../format/checksum.js";
import type { CellContext } from "../table/context.js";
import type { Event, Movement, Recent } from "./recent.js";

const MAX_SHOWN = 6;

interface Sentence {
  look: "in" | "out" | "both" | "call" | "failed";
  words: unknown;
}

const ICONS: Readonly<Record<Sentence["look"], IconNode>> = {
  in: ArrowDown,
  out: ArrowUp,
  both: ArrowLeftRight,
  call: Code,
  failed: X,
};

/** An address by its name, or else by its hash. It links to its own page. */
export function party(address: string, { names }: Recent, { route, chainId }: CellContext): TemplateResult {
  const name = names.get(address);
  const hash = toChecksumAddress(address, chainId);
  return html`<a class=${name ? "" : "mono"} data-address=${address} href=${toHref(toAddress(route, hash))}><bdi>${name ? cleanText(name, 40) : shortenHash(hash)}</bdi></a>`;
}

/** The first asset, and how many others there are. */
function assets(movements: readonly Movement[], { coin }: CellContext): TemplateResult {
  const [first] = movements;
  const value =
    first &&
    amount(
      first.amount,
      first.token === null ? coin.decimals : first.decimals,
      first.token === null ? coin.symbol : first.symbol,
    );
  return html`<strong>${value}</strong>${movements.length > 1 ? ` and ${movements.length - 1} more` : nothing}`;
}

function toSentence(event: Event, recent: Recent, cells: CellContext): Sentence {
  const incoming = event.movements.filter(({ isIncoming }) => isIncoming);
  const outgoing = event.movements.filter(({ isIncoming }) => !isIncoming);
  const by = (address: string | null | undefined) => (address ? party(address, recent, cells) : "a new contract");
  const method = cleanText(event.method || "a contract", 40);
  if (event.isFailed) return { look: "failed", words: html`Failed: ${method} at ${by(event.to)}` };
  if (incoming.length > 0 && outgoing.length > 0)
    return {
      look: "both",
      words: html`Sent ${assets(outgoing, cells)} and received ${assets(incoming, cells)} at ${by(event.to ?? outgoing[0]?.counterparty)}`,
    };
  if (incoming.length > 0)
    return { look: "in", words: html`Received ${assets(incoming, cells)} from ${by(incoming[0]?.counterparty)}` };
  if (outgoing.length > 0)
    return { look: "out", words: html`Sent ${assets(outgoing, cells)} to ${by(outgoing[0]?.counterparty)}` };
  return { look: "call", words: html`Called <strong>${method}</strong> at ${by(event.to)}` };
}

export function latest(recent: Recent, cells: CellContext): TemplateResult {
  if (recent.events.length === 0) return html`<p class="none">No transactions and no token transfers.</p>`;
  return html`<ul class="entries">${recent.events.slice(0, MAX_SHOWN).map((event) => {
    const { look, words } = toSentence(event, recent, cells);
    return html`<li><span class="round ${look}">${icon(ICONS[look])}</span>
      <span class="entry"><span class="sentence">${words}</span><span class="sub">${time(new Date(event.time).toISOString(), cells)}</span></span>
      ${event.fee === null ? nothing : html`<span class="entry end sub">fee ${amount(String(event.fee), cells.coin.decimals, cells.coin.symbol)}</span>`}</li>`;
  })}</ul>`;
}
