// The names and tags of an address.
import type { AddressRef, MetadataTag } from "address-query";
import { toSafeLink } from "./url.js";

/** The most specific name of an address, or null. Untrusted. */
export const addressName = (ref: AddressRef): string | null =>
  ref.ens_domain_name || ref.name || ref.metadata?.name || ref.implementation_name || null;

export const isScam = ({ is_scam, reputation }: AddressRef): boolean => is_scam === true || reputation === "scam";

/** `Wallet`, `Contract`, or `Smart account` for an account with an EIP-7702 delegation. */
export function addressKind({ is_contract, proxy_type }: AddressRef): string {
  if (proxy_type === "eip7702") return "Smart account";
  return is_contract ? "Contract" : "Wallet";
}

export interface Tag {
  name: string;
  /** What the tag means, or "". */
  description: string;
  /** An https URL with more about the tag, or null. */
  link: string | null;
}

const toTag = ({ name, meta }: MetadataTag): Tag => {
  const description = meta?.["tooltipDescription"];
  return {
    name: name ?? "",
    description: typeof description === "string" ? description : "",
    link: toSafeLink(meta?.["tagUrl"] ?? meta?.["tooltipUrl"]),
  };
};

/** All tags of an address, the most important one first, without those that only repeat its name. */
export function addressTags(ref: AddressRef): Tag[] {
  const metadata = [...(ref.metadata?.tags ?? [])].sort((a, b) => (b.ordinal ?? 0) - (a.ordinal ?? 0)).map(toTag);
  const others = [
    ...[...ref.public_tags, ...ref.private_tags].map(({ display_name }) => display_name),
    ...ref.watchlist_names.map(({ display_name }) => display_name),
  ].map((name) => ({ name: name ?? "", description: "", link: null }));
  const title = addressName(ref);
  return [...metadata, ...others].filter(({ name }) => name !== "" && name !== title);
}
