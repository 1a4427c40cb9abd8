// The relations of an address.
import type { AddressInfo, Implementation } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import type { CellContext } from "../table/context.js";

const MAX_IMPLEMENTATIONS = 4;

/** The relations of an address, as names and values: its own name, its token, its implementations and its creator. */
export function relations(info: AddressInfo, context: CellContext): readonly (readonly [string, unknown])[] {
  const { token } = info;
  return [
    ...(info.ens_domain_name && info.name ? ([["Contract name", cells.text(info.name, "name")]] as const) : []),
    ...(token
      ? ([
          [
            "Token",
            html`<span class="related">${cells.text(token.name ?? "without a name", "name")} ${token.symbol ? cells.text(token.symbol, "symbol") : nothing}${cells.badge(token.type ?? "unknown type")}</span>`,
          ],
        ] as const)
      : []),
    ...proxy(info, context),
    ...creation(info, context),
  ];
}

function proxy({ proxy_type, implementations }: AddressInfo, context: CellContext): readonly (readonly [string, unknown])[] {
  if (!proxy_type && implementations.length === 0) return [];
  const hidden = implementations.length - MAX_IMPLEMENTATIONS;
  const value = html`<span class="relation">${implementations.slice(0, MAX_IMPLEMENTATIONS).map((item) => implementation(item, context))}
    ${hidden > 0 ? html`and ${hidden} more` : nothing}
    ${proxy_type ? cells.badge(proxy_type.replace(/^eip(\d+)/, "EIP-$1").replaceAll("_", " ")) : nothing}</span>`;
  return [[proxy_type === "eip7702" ? "Delegates to" : "Proxy of", value]];
}

const implementation = ({ name, address_hash }: Implementation, context: CellContext) =>
  html`<span class="related">${name ? cells.text(name, "name") : nothing}${cells.addressLink(address_hash, context)}</span>`;

function creation(info: AddressInfo, context: CellContext): readonly (readonly [string, unknown])[] {
  const { creator_address_hash: creator, creation_transaction_hash: transaction, creation_status: status } = info;
  if (!creator) return [];
  const value = html`<span class="relation">${cells.addressLink(creator, context)}
    ${transaction ? html`in ${cells.transaction(transaction, context)}` : nothing}
    ${status && status !== "success" ? cells.badge(status, "bad") : nothing}</span>`;
  return [["Created by", value]];
}
