// The latest transactions as sentences, one for each.
import { html, nothing, type TemplateResult } from "lit";
import { sentenceIcon, toSentence } from "../records/sentence.js";
import { brief, time, transaction } from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import type { Recent } from "./recent.js";

const MAX_SHOWN = 6;

export function latest(recent: Recent, cells: CellContext): TemplateResult {
  if (recent.events.length === 0) return html`<p class="none">No transactions and no token transfers.</p>`;
  return html`<ul class="entries">${recent.events.slice(0, MAX_SHOWN).map((event) => {
    const { look, words } = toSentence(event, recent.names, cells);
    return html`<li>${sentenceIcon(look)}
      <span class="entry"><span class="sentence">${words}</span><span class="sub">${time(new Date(event.time).toISOString(), cells)} · ${transaction(event.hash, cells)}</span></span>
      ${event.fee === null ? nothing : html`<span class="entry end sub">fee ${brief(String(event.fee), cells.coin.decimals, cells.coin.symbol)}</span>`}</li>`;
  })}</ul>`;
}
