// Checks the options of a proxy.
import { cacheable, graphql, queries, uncacheable } from "../proxy-table.js";
import type { ProxyOptions } from "./public-types.js";
import { parseRoute, type Route } from "./routes.js";

/** The options of a proxy, with their defaults. */
export type Settings<Context extends readonly unknown[]> = {
  readonly [Name in keyof ProxyOptions<Context>]-?: NonNullable<ProxyOptions<Context>[Name]>;
};

const DEFAULTS = {
  // Required.
  apiKey: undefined,
  chains: undefined,
  basePath: "/",
  allow: [],
  origins: [],
  maxAge: 0,
  limit: () => 0,
  timeoutMs: 60_000,
  upstream: "https://api.blockscout.com/{chain_id}",
  onError: () => {},
};

// biome-ignore lint/suspicious/noExplicitAny: options are checked here
type Value = any;

const isFunction = (value: Value) => typeof value === "function";

const isList = (isItem: (item: Value) => unknown) => (value: Value) => Array.isArray(value) && value.every(isItem);

/** Keys of these characters are the same in headers, URLs, HTML and JSON, so that an echo of one is recognised. */
export const isKey = (value: unknown): value is string => typeof value === "string" && /^[\w.~-]{8,512}$/.test(value);

/** What each option accepts, and what to write. */
const RULES: Record<string, [isValid: (value: Value) => unknown, rule: string]> = {
  apiKey: [(value) => isFunction(value) || isKey(value), "8 to 512 letters, digits and -._~, or a function"],
  chains: [(value) => isList(getChainId)(value) && value.length > 0, "a list of chain ids or chains"],
  basePath: [(value) => /^\/[^?#]*$/.test(value), "a path such as /api/blockscout"],
  allow: [isList((line) => parseRoute(line)), "a list of paths such as /{chain_id}/api/v2/stats"],
  origins: [
    isList((item) => URL.canParse(item) && new URL(item).origin === item),
    "a list of origins such as https://app.example",
  ],
  maxAge: [(value) => isFunction(value) || (typeof value === "number" && value >= 0), "a number of seconds, or a function"],
  limit: [isFunction, "a function"],
  timeoutMs: [(value) => typeof value === "number" && value > 0, "a number of milliseconds"],
  upstream: [
    (value) => /^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/.test(value),
    "a URL such as https://gateway.example/{chain_id}",
  ],
  onError: [isFunction, "a function"],
};

/** Adds the defaults. Throws for the first invalid option. */
export function readOptions<Context extends readonly unknown[]>(options: ProxyOptions<Context>): Settings<Context> {
  const given = Object.entries(Object(options)).filter(([, value]) => value != null);
  const settings: Record<string, unknown> = { ...DEFAULTS, ...Object.fromEntries(given) };
  for (const [name, value] of Object.entries(settings)) {
    const [isValid, rule] = (Object.hasOwn(RULES, name) && RULES[name]) || [];
    if (!isValid) throw new TypeError(`${name}: unknown option; valid options are ${Object.keys(RULES).join(", ")}`);
    if (!isValid(value)) throw new TypeError(`${name}: must be ${rule}`);
  }
  return settings as unknown as Settings<Context>;
}

/** Returns the id of a chain, or undefined if it has none. */
export function getChainId(chain: Value): number | undefined {
  const id = chain?.id ?? chain;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The routes of the package, and those of the option `allow`. */
export function createRoutes(allow: readonly string[]): Route[] {
  const routes = [
    ...cacheable.map((line) => parseRoute(line, true)),
    ...[...uncacheable, ...allow].map((line) => parseRoute(line)),
    parseRoute(graphql, false, queries),
  ];
  return routes.filter((route) => route !== undefined);
}
