// The name service of the gateway, which has the names of all chains.
import {
  AddressQueryError,
  type Hex,
  isAddressQueryError,
  type JsonValue,
  type NameRecord,
  type RequestParams,
} from "../public.js";
import type { AddressNames, NameClient, NameOptions } from "./public-types.js";

const ADDRESS = /^0x[\da-f]{40}$/i;
const PATH = "/services/bens/api/v1";
/** The most names of one response. */
const MAX_NAMES = 100;
/** With these codes, the source does not have the name service, such as a proxy that does not forward its requests. */
const UNAVAILABLE = /^(refused|http_status|disabled|unsupported_chain|blocked)$/;

/**
 * The requests to the name service, for the option `allow` of `createProxy` of `address-query/proxy`. Without it, names that are read
 * through a proxy come from the instance.
 *
 * @example
 * ```ts
 * import { NAME_SERVICE_ROUTES } from "address-query/names";
 * import { createProxy } from "address-query/proxy";
 *
 * const proxy = createProxy({ apiKey: () => process.env.BLOCKSCOUT_API_KEY, chains: [1], allow: NAME_SERVICE_ROUTES });
 * ```
 */
export const NAME_SERVICE_ROUTES: readonly string[] = /* @__PURE__ */ Object.freeze([
  `${PATH}/domains:lookup?name&chain_id&all_protocols`,
  `${PATH}/addresses/{address}?chain_id`,
  `${PATH}/addresses:lookup?address&chain_id&resolved_to&only_active&page_size`,
]);

/** Finds the names that equal a name, expired ones too. Undefined: there is no name service. */
export async function findNames(client: NameClient, name: string, options: NameOptions): Promise<NameRecord[] | undefined> {
  const found = await request(client, "domains:lookup", { name, all_protocols: true }, options);
  return found === undefined ? undefined : readNames(found);
}

/** Returns the names that resolve to an address. Undefined: there is no name service. */
export async function findNamesOf(client: NameClient, address: Hex, options: NameOptions): Promise<AddressNames | undefined> {
  const main = await request(client, `addresses/${address}`, {}, options);
  if (main === undefined) return undefined;
  const { domain, resolved_domains_count } = readObject(main, "");
  const record = domain == null ? undefined : readName(domain, "domain");
  const count = resolved_domains_count ?? 0;
  if (typeof count !== "number") throw createDecodeError("resolved_domains_count", "a number");
  const isOwn = (name: NameRecord) => isCurrent(name) && name.address_hash?.toLowerCase() === address.toLowerCase();
  const params = { address, resolved_to: true, only_active: true, page_size: MAX_NAMES };
  const found = count === 0 ? { items: [] } : await request(client, "addresses:lookup", params, options);
  const names = found === undefined ? null : readNames(found).filter(isOwn);
  return { primary: record && isOwn(record) ? record.name : null, names, count, source: "name_service" };
}

/** Undefined: there is no name service. An instance that is read by its URL has none. */
async function request(
  client: NameClient,
  path: string,
  params: RequestParams,
  options: NameOptions,
): Promise<JsonValue | undefined> {
  // The base URL ends with the id of the chain at the gateway, and at a proxy of it.
  const [, chain_id] = /\/(\d+)$/.exec(await client.baseUrl()) ?? [];
  if (chain_id === undefined) return undefined;
  try {
    return await client.request(`${PATH}/${path}`, { ...params, chain_id }, options);
  } catch (error) {
    if (isAddressQueryError(error) && !error.retryable && UNAVAILABLE.test(error.code)) return undefined;
    throw error;
  }
}

/** Whether a name has not expired. */
export function isCurrent({ expiry_date }: NameRecord): boolean {
  return expiry_date === null || Date.parse(expiry_date) > Date.now();
}

function readNames(response: JsonValue): NameRecord[] {
  const { items } = readObject(response, "");
  if (!Array.isArray(items)) throw createDecodeError("items", "an array");
  return items.map((item, index) => readName(item, `items[${index}]`));
}

function readName(value: JsonValue, path: string): NameRecord {
  const { name, resolved_address, expiry_date, protocol } = readObject(value, path);
  if (typeof name !== "string") throw createDecodeError(`${path}.name`, "a string");
  const expiry = expiry_date == null ? null : new Date(String(expiry_date));
  if (Number.isNaN(expiry?.getTime())) throw createDecodeError(`${path}.expiry_date`, "a time");
  const address = resolved_address == null ? null : readObject(resolved_address, `${path}.resolved_address`)["hash"];
  if (address !== null && !(typeof address === "string" && ADDRESS.test(address)))
    throw createDecodeError(`${path}.resolved_address.hash`, "an address hash");
  const shortName = protocol == null ? null : readObject(protocol, `${path}.protocol`)["short_name"];
  return {
    name,
    address_hash: address as Hex | null,
    expiry_date: expiry?.toISOString() ?? null,
    protocol: typeof shortName === "string" ? shortName : null,
  };
}

function readObject(value: JsonValue | undefined, path: string): { readonly [name: string]: JsonValue | undefined } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw createDecodeError(path, "an object");
  return value;
}

function createDecodeError(path: string, expected: string): AddressQueryError {
  return AddressQueryError.create("decode", `the name service: ${path || "the response"}: expected ${expected}`, { path });
}
