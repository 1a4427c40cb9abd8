// `resolveName`: the address of a name.
import { createParameterError } from "../entry-support.js";
import { AddressQueryError, type NameRecord } from "../public.js";
import { checkArguments, readCached } from "./cache.js";
import { findNames, isCurrent } from "./name-service.js";
import type { NameClient, NameOptions, NameSource, ResolvedName } from "./public-types.js";

/**
 * Parts separated by dots, without spaces and invisible characters, except the ones that join emoji and encode flags.
 */
const NAME =
  /^(?=[^.]+\.)(\.?(\p{Extended_Pictographic}\p{Emoji_Modifier}?\u200d(?=\p{Extended_Pictographic})|\u{1f3f4}[\u{e0061}-\u{e007a}]+\u{e007f}|[^\s.\p{C}]))+$/u;
const MAX_LENGTH = 255;

/**
 * Returns the address that a name such as `vitalik.eth` resolves to.
 *
 * @remarks
 * Read from the name service of the gateway, or from the search of an instance: `source` says which. A client caches the
 * result for five minutes. It is never a guess: the name must match except for letter case and emoji style, must not have expired,
 * and must resolve to one address. Compare `name` with what the user typed: characters of other scripts can look alike.
 *
 * @param name - Parts separated by dots, at most 255 characters.
 * @example
 * ```ts
 * import { resolveName } from "address-query/names";
 *
 * const { address_hash } = await resolveName(client, "hub.sample.eth");
 * ```
 * @throws {AddressQueryError} `unresolved_name` if no name matches, or if the matching names have expired, resolve to nothing, or
 * resolve to several addresses. Its `candidates` are the matching names. `invalid_parameter` for `name` if it is not a name.
 */
export async function resolveName(client: NameClient, name: string, options?: NameOptions): Promise<ResolvedName> {
  checkArguments(client, options);
  const wanted = typeof name === "string" ? normalize(name) : "";
  if (wanted.length > MAX_LENGTH || !NAME.test(wanted))
    throw createParameterError(
      "name",
      "must be a name with a dot, such as vitalik.eth, of at most 255 characters without spaces",
    );
  return readCached(client, wanted, options, async (options) => {
    const found = await findNames(client, wanted, options);
    if (found) return choose(wanted, found, "name_service");
    return choose(wanted, await search(client, wanted, options), "search");
  });
}

async function search(client: NameClient, q: string, options: NameOptions): Promise<NameRecord[]> {
  const { items } = await client.searchQuick({ q }, options);
  return items.flatMap((item) => {
    if (item.type !== "ens_domain") return [];
    const { name, address_hash, expiry_date, protocol } = (item as Extract<typeof item, { type: "ens_domain" }>).ens_info;
    const { short_name } = (protocol ?? {}) as { short_name?: unknown };
    return [{ name, address_hash, expiry_date, protocol: typeof short_name === "string" ? short_name : null }];
  });
}

/** Keyboards add the character that selects the coloured form of an emoji. Registered names do not have it. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll("\ufe0f", "");
}

/** Chooses the name that is meant. Throws if that would be a guess. */
function choose(wanted: string, found: readonly NameRecord[], source: NameSource): ResolvedName {
  const candidates = found.filter(({ name }) => normalize(name) === wanted);
  const current = candidates.filter(isCurrent);
  const resolving = current.flatMap((record) => (record.address_hash ? [{ ...record, address_hash: record.address_hash }] : []));
  const [chosen] = resolving;
  const isOne = new Set(resolving.map(({ address_hash }) => address_hash.toLowerCase())).size === 1;
  if (chosen && isOne) return { ...chosen, source };
  const reason = chosen
    ? `resolves to several addresses (${resolving.map(({ address_hash }) => address_hash).join(", ")}); choose one of the candidates`
    : current[0]
      ? "resolves to no address"
      : candidates[0]
        ? `expired at ${candidates[0].expiry_date}`
        : "was not found; check its spelling";
  throw AddressQueryError.create("unresolved_name", `${wanted} ${reason}`, { parameter: "name", candidates });
}
