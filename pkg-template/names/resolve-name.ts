// `resolveName`: the address of a name.
import { AddressQueryError, createParameterError } from "../errors.js";
import type { NameRecord } from "../name-record.js";
import { checkArguments, readCached } from "./cache.js";
import { NameService } from "./name-service.js";
import type { NameClient, NameOptions, NameSource, ResolvedName } from "./public-types.js";

/** Parts with dots between them, without spaces and characters that are not visible. */
const NAME = /^[^\s.\p{C}]+(\.[^\s.\p{C}]+)+$/u;
const MAX_LENGTH = 255;

/**
 * Returns the address that a name such as `vitalik.eth` resolves to.
 *
 * @remarks
 * Read from the name service of the gateway, and from the search of an instance by its URL: `source` says which. A client caches the
 * result for five minutes. It is never a guess: the name must be equal but for letter case, must not have expired, and must resolve to one
 * address. Compare `name` with what the user typed: characters of other scripts can look alike.
 *
 * @param name - Parts with dots between them, at most 255 characters.
 * @example
 * ```ts
 * import { resolveName } from "address-query/names";
 *
 * const { address_hash } = await resolveName(client, "hub.sample.eth");
 * ```
 * @throws {AddressQueryError} `unresolved_name` if no name is equal, or those that are have expired, resolve to nothing, or resolve to
 * several addresses. Its `candidates` are the names that are equal. `invalid_parameter` that names `name` for something else than a name.
 */
export async function resolveName(client: NameClient, name: string, options?: NameOptions): Promise<ResolvedName> {
  checkArguments(client, options);
  if (typeof name !== "string" || name.length > MAX_LENGTH || !NAME.test(name))
    throw createParameterError(
      "name",
      "must be a name with a dot, such as vitalik.eth, of at most 255 characters without spaces",
    );
  const wanted = name.toLowerCase();
  return readCached(client, wanted, options, async (options) => {
    const service = await NameService.of(client, options);
    const found = await service?.find(wanted);
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

/** Chooses the name that is meant. Throws if that would be a guess. */
function choose(wanted: string, found: readonly NameRecord[], source: NameSource): ResolvedName {
  const candidates = found.filter(({ name }) => name.toLowerCase() === wanted);
  const now = Date.now();
  const current = candidates.filter(({ expiry_date }) => expiry_date === null || Date.parse(expiry_date) > now);
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
