// The gateway's name service: the ENS names that the sample service of a chain states.
import { ApiError } from "../api-error.js";
import { createResponse } from "../response-draft.js";

/** The prefix of the name service's paths. */
const PATH = "/services/bens/api/v1/";
const REGISTRATION_DATE = "2024-05-04T21:22:30.000Z";
const PROTOCOL = { id: "ens", short_name: "ENS", title: "Ethereum Name Service", tld_list: ["eth"] };

/** Requests a path of the instance, and returns its JSON. */
type ReadInstance = (path: string) => Promise<Record<string, unknown>>;

interface NameItem {
  readonly type: string;
  readonly ens_info: { readonly name: string; readonly address_hash: string; readonly expiry_date: string } | null;
}

/** The name service's path within the path of a URL, if there is one. Any prefix is accepted, such as a proxy's. */
export function findNamePath(pathname: string): string | undefined {
  const start = pathname.indexOf(PATH);
  return start < 0 ? undefined : pathname.slice(start);
}

/** Creates the response to a lookup. Throws if the name service refuses it. */
export async function respondToLookup(path: string, query: URLSearchParams, read: ReadInstance): Promise<Response> {
  const lookup = path.slice(PATH.length);
  const [, address] = /^addresses\/(0x[\da-f]{40})$/i.exec(lookup) ?? [];
  if (lookup === "domains:lookup") return createJson({ items: await findNames(read, query.get("name") ?? "") });
  if (lookup === "addresses:lookup") {
    // Without one of these, the service looks up nothing.
    const isAsked = query.get("resolved_to") === "true" || query.get("owned_by") === "true";
    return createJson({ items: isAsked ? await findNamesOf(read, query.get("address") ?? "") : [] });
  }
  if (address === undefined) throw new ApiError(404, { code: 5, message: "Not Found", details: [] });
  const [domain = null, ...others] = await findNamesOf(read, address);
  return createJson({ domain, resolved_domains_count: domain === null ? 0 : 1 + others.length });
}

async function findNamesOf(read: ReadInstance, address: string): Promise<object[]> {
  const { ens_domain_name } = await read(`/api/v2/addresses/${address}`);
  return typeof ens_domain_name === "string" ? findNames(read, ens_domain_name) : [];
}

async function findNames(read: ReadInstance, name: string): Promise<object[]> {
  const items = (await read(`/api/v2/search/quick?q=${encodeURIComponent(name)}`)) as unknown as readonly NameItem[];
  return items.flatMap(({ type, ens_info }) =>
    type === "ens_domain" && ens_info?.name === name ? [serializeName(ens_info)] : [],
  );
}

function serializeName({ name, address_hash: hash, expiry_date }: NonNullable<NameItem["ens_info"]>): object {
  const [owner, resolved_address] = [{ hash }, { hash }];
  return { name, owner, resolved_address, registration_date: REGISTRATION_DATE, expiry_date, protocol: PROTOCOL };
}

const createJson = (json: object): Response => createResponse({ status: 200, json });
