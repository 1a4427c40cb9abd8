// A search result of the service: what it says, and which page shows it.
import type { SearchItem } from "address-query";
import { formatFiat, formatInteger } from "../format/number.js";
import { shortenHash } from "../format/text.js";
import { formatDay } from "../format/time.js";
import { type Route, toAddress, toPage } from "../route/route.js";

export interface Description {
  /** Untrusted, like everything that the service finds. */
  label: string;
  /** A shortened hash. */
  hash: string;
  description: string;
  isScam?: boolean;
  /** Whether nothing else has this label. */
  isUnique?: boolean;
}

/** Returns the route of a result. Null if this site has no page for its kind. */
export function toRoute(item: SearchItem, route: Route): Route | null {
  const { address_hash, block_hash, block_number, block_type, transaction_hash, type } = item;
  if (type === "token") return address_hash && toPage(route, "token", address_hash);
  // Uncles and removed blocks share their number with other blocks.
  if (type === "block")
    return toPage(route, "block", block_type === "block" && block_number !== null ? String(block_number) : (block_hash ?? ""));
  if (type === "transaction") return transaction_hash && toPage(route, "transaction", transaction_hash);
  return address_hash && { ...toAddress(route, address_hash), tab: "" };
}

const join = (...parts: readonly (string | null | false)[]): string => parts.filter(Boolean).join(" · ");

export function describe(item: SearchItem): Description {
  const hash = shortenHash(item.address_hash ?? item.transaction_hash ?? item.block_hash ?? "");
  const verified = item.is_smart_contract_verified === true && "verified";
  const isScam = item.reputation === "scam";
  const day = item.timestamp && formatDay(item.timestamp.slice(0, 10));
  switch (item.type) {
    case "token": {
      const price = item.exchange_rate === null ? null : formatFiat(item.exchange_rate);
      return {
        label: item.name || item.symbol || "Unnamed token",
        hash,
        description: join("Token", item.symbol, item.token_type, price),
        isScam,
      };
    }
    case "ens_domain":
      return { label: item.ens_info?.name ?? "", hash, description: join("Name", item.name), isScam, isUnique: true };
    case "block": {
      const removed = item.block_type !== "block" && item.block_type;
      return {
        label: `Block ${item.block_number === null ? "" : formatInteger(item.block_number)}`,
        hash,
        description: join("Block", removed, day),
      };
    }
    case "transaction":
      return { label: "Transaction", hash, description: join(day, item.transaction_hash), isScam };
    case "metadata_tag":
      return { label: item.metadata?.name ?? "Tag", hash, description: join("Tag", item.name), isScam };
    case "contract":
      return { label: item.name ?? "Contract", hash, description: join("Contract", verified), isScam };
    default:
      return {
        label: item.ens_info?.name ?? item.name ?? "Address",
        hash,
        description: item.type === "label" ? "Label" : "Address",
        isScam,
      };
  }
}
