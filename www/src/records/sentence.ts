// A transaction as a sentence: what it moved, and with whom.
import { html, nothing, type TemplateResult } from "lit";
import type { IconNode } from "lucide";
import { ArrowDown, ArrowLeftRight, ArrowUp, Code, X } from "lucide";
import type { Names } from "../address/names.js";
import { icon } from "../components/icon.js";
import { toChecksumAddress } from "../format/checksum.js";
import { cleanText, shortenHash } from "../format/text.js";
import { toAddress, toHref } from "../route/route.js";
import { brief } from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import "./sentence.css";

/** A record that moved something. */
export interface Movement {
  hash: string;
  /** Unix milliseconds. */
  time: number;
  isIncoming: boolean;
  /** The other address, in lower case. */
  counterparty: string;
  /** The contract of a token. Null: the native coin. */
  token: string | null;
  symbol: string;
  decimals: string | null;
  /** Base units. Null: not known. */
  amount: string | null;
}

/** A transaction that the address sent or received, or one that moved its tokens. */
export interface Event {
  hash: string;
  time: number;
  /** The method that was called, or "". */
  method: string;
  isFailed: boolean;
  /** The receiver of the transaction, in lower case. Null: not known. */
  to: string | null;
  /** Wei that the address paid. Null: somebody else did, or not known. */
  fee: bigint | null;
  movements: Movement[];
}

export interface Sentence {
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
export function party(address: string, names: Names, { route, chainId }: CellContext): TemplateResult {
  const name = names.get(address);
  const hash = toChecksumAddress(address, chainId);
  return html`<a class=${name ? "" : "mono"} data-address=${address} href=${toHref(toAddress(route, hash))}><bdi>${name ? cleanText(name, 40) : shortenHash(hash)}</bdi></a>`;
}

/** The first asset, and how many others there are. */
export function assets(movements: readonly Movement[], { coin }: CellContext): TemplateResult {
  const [first] = movements;
  const value =
    first &&
    brief(first.amount, first.token === null ? coin.decimals : first.decimals, first.token === null ? coin.symbol : first.symbol);
  return html`<strong>${value}</strong>${movements.length > 1 ? ` and ${movements.length - 1} more` : nothing}`;
}

export function toSentence(event: Event, names: Names, cells: CellContext): Sentence {
  const incoming = event.movements.filter(({ isIncoming }) => isIncoming);
  const outgoing = event.movements.filter(({ isIncoming }) => !isIncoming);
  const by = (address: string | null | undefined) => (address ? party(address, names, cells) : "a new contract");
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

/** The icon of a sentence, in the colour of its meaning. */
export const sentenceIcon = (look: Sentence["look"]): TemplateResult =>
  html`<span class="round ${look}">${icon(ICONS[look])}</span>`;
