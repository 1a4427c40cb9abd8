// Who an address is: its name, what it is, and its tags.
import type { AddressInfo } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { cleanText } from "../format/text.js";
import * as cells from "../table/cells.js";
import { addressKind, addressName, addressTags, isScam, type Tag } from "../format/address-name.js";

const MAX_TAGS = 6;

/** The title of the page: the name of the address, if it has one. */
export const title = (info: AddressInfo | undefined): string => cleanText((info && addressName(info)) ?? "Address", 80);

/** What an address is, in one line. */
export const badges = (info: AddressInfo): TemplateResult => html`
  ${cells.badge(addressKind(info), "accent")}
  ${isScam(info) ? cells.badge("Flagged as scam", "bad") : nothing}
  ${info.is_contract && info.proxy_type !== "eip7702" ? verified(info) : nothing}
  ${info.proxy_type === "eip7702" ? cells.badge(`Delegates to ${info.implementations[0]?.name ?? "a contract"}`) : nothing}
  ${addressTags(info).slice(0, MAX_TAGS).map(tag)}`;

const verified = ({ is_verified }: AddressInfo) =>
  is_verified ? cells.badge("Verified", "good") : cells.badge("Not verified", "warn");

function tag({ name, description, link }: Tag): TemplateResult {
  const label = html`<bdi>${cleanText(name, 40)}</bdi>`;
  const tooltip = cleanText(description || name);
  return link
    ? html`<a class="badge tag" href=${link} target="_blank" rel="noopener noreferrer" title=${tooltip}>${label}</a>`
    : html`<span class="badge tag" title=${tooltip}>${label}</span>`;
}
