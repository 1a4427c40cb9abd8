// Who an address is: its name, what it is, its tags, and what it is related to.
import type { AddressInfo, Implementation } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { cleanText } from "../format/text.js";
import * as cells from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import { addressKind, addressName, addressTags, isScam, type Tag } from "../format/address-name.js";

const MAX_TAGS = 6;
const MAX_IMPLEMENTATIONS = 4;

/** The title of the page: the name of the address, if it has one. */
export const title = (info: AddressInfo | undefined): string => cleanText((info && addressName(info)) ?? "Address", 80);

/** Badges and relations in one line, which wraps where it is narrow. */
export const identity = (info: AddressInfo, context: CellContext): TemplateResult => html`
  ${cells.badge(addressKind(info), "accent")}
  ${isScam(info) ? cells.badge("Flagged as scam", "bad") : nothing}
  ${info.is_contract && info.proxy_type !== "eip7702" ? verified(info) : nothing}
  ${info.ens_domain_name && info.name ? cells.text(info.name, "name") : nothing}
  ${addressTags(info).slice(0, MAX_TAGS).map(tag)}
  ${info.token ? html`<span class="relation">Token ${cells.text(info.token.name ?? "without a name", "name")} ${info.token.symbol ? cells.text(info.token.symbol, "symbol") : nothing}${cells.badge(info.token.type ?? "unknown type")}</span>` : nothing}
  ${proxy(info, context)} ${creation(info, context)}`;

const verified = ({ is_verified }: AddressInfo) =>
  is_verified ? cells.badge("Verified", "good") : cells.badge("Not verified", "warn");

function tag({ name, description, link }: Tag): TemplateResult {
  const label = html`<bdi>${cleanText(name, 40)}</bdi>`;
  const tooltip = cleanText(description || name);
  return link
    ? html`<a class="badge tag" href=${link} target="_blank" rel="noopener noreferrer" title=${tooltip}>${label}</a>`
    : html`<span class="badge tag" title=${tooltip}>${label}</span>`;
}

function proxy({ proxy_type, implementations }: AddressInfo, context: CellContext): TemplateResult | typeof nothing {
  if (!proxy_type && implementations.length === 0) return nothing;
  const label = proxy_type === "eip7702" ? "Delegates to" : "Proxy of";
  const hidden = implementations.length - MAX_IMPLEMENTATIONS;
  return html`<span class="relation">${label}
    ${implementations.slice(0, MAX_IMPLEMENTATIONS).map((item) => implementation(item, context))}
    ${hidden > 0 ? html`and ${hidden} more` : nothing}
    ${proxy_type ? cells.badge(proxy_type.replace(/^eip(\d+)/, "EIP-$1").replaceAll("_", " ")) : nothing}</span>`;
}

const implementation = ({ name, address_hash }: Implementation, context: CellContext) =>
  html`<span class="related">${name ? cells.text(name, "name") : nothing}${cells.addressLink(address_hash, context)}</span>`;

function creation(info: AddressInfo, context: CellContext): TemplateResult | typeof nothing {
  const { creator_address_hash: creator, creation_transaction_hash: transaction, creation_status: status } = info;
  if (!creator) return nothing;
  return html`<span class="relation">Created by ${cells.addressLink(creator, context)}
    ${transaction ? html`in ${cells.hash(transaction, "transaction hash")}` : nothing}
    ${status && status !== "success" ? cells.badge(status, "bad") : nothing}</span>`;
}
