// Warnings about an address: scams, look-alike addresses, unverified code.
import type { AddressInfo } from "address-query";
import { html, type TemplateResult } from "lit";
import { isScam } from "../format/address-name.js";
import { formatCount } from "../format/number.js";
import { badge, type Tone } from "../table/cells.js";
import type { Recent } from "./recent.js";

/** Number of digits at both ends that people compare. Attackers create addresses that share them. */
const SHOWN_DIGITS = 4;
const toEnds = (address: string): string => address.slice(2, 2 + SHOWN_DIGITS) + address.slice(-SHOWN_DIGITS);

/** Counts counterparties with the same ends as another one, a sign of address poisoning. */
export function countLookAlikes({ events }: Recent): number {
  const addresses = new Set(events.flatMap(({ movements }) => movements.map(({ counterparty }) => counterparty)));
  return addresses.size - new Set([...addresses].map(toEnds)).size;
}

export function notes(info: AddressInfo | undefined, recent: Recent): TemplateResult {
  const lookAlikes = countLookAlikes(recent);
  const found: [string, Tone][] = [];
  if (info && isScam(info)) found.push(["Flagged as scam", "bad"]);
  if (info?.is_contract && info.proxy_type !== "eip7702" && !info.is_verified) found.push(["Not verified", "warn"]);
  if (recent.scams > 0) found.push([`${formatCount(recent.scams, "transfer")} of scam tokens`, "bad"]);
  if (lookAlikes > 0) found.push([formatCount(lookAlikes, "look-alike"), "bad"]);
  if (found.length === 0) return html`<span class="none">Nothing suspicious found</span>`;
  return html`<span class="lines">${found.map(([text, tone]) => badge(text, tone))}</span>`;
}
