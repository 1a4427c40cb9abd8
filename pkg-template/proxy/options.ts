// Checks the options of a proxy.
import type { ProxyOptions } from "./public-types.js";
import { parseRoute } from "./routes.js";

/** The options of a proxy, with their defaults. */
export type Settings<Context extends readonly unknown[]> = {
  readonly [Name in keyof ProxyOptions<Context>]-?: NonNullable<ProxyOptions<Context>[Name]>;
};

// biome-ignore lint/suspicious/noExplicitAny: options are checked here
type Value = any;

const isFunction = (value: Value) => typeof value === "function";

const isList = (isItem: (item: Value) => unknown) => (value: Value) => Array.isArray(value) && value.every(isItem);

/** Keys of these characters are the same in headers, URLs, HTML and JSON, so that an echo of one is recognised. */
export const isKey = (value: unknown): value is string => typeof value === "string" && /^[\w.~-]{8,512}$/.test(value);
export const KEY_RULE = "8 to 512 letters, digits and -._~";

const FUNCTION_RULE = "a function";

/** What each option must be, the check of it, and the default. */
const RULES: Record<string, [rule: string, isValid: (value: Value) => unknown, fallback?: unknown]> = {
  apiKey: [`${KEY_RULE}, or ${FUNCTION_RULE}`, (value) => isFunction(value) || isKey(value)],
  chains: ["a list of chain ids or chains", (value) => isList(isChain)(value) && value.length],
  basePath: ["a path such as /api", (value) => /^\/[^?#]*$/.test(value), "/"],
  allow: ["a list of paths such as /{chain_id}/api/v2/stats", isList((line) => parseRoute(line)), []],
  origins: ["a list of origins such as https://app.example", isList((item) => /^[a-z-]+:\/\/[a-z\d.:[\]-]+$/.test(item)), []],
  maxAge: [`seconds, or ${FUNCTION_RULE}`, (value) => isFunction(value) || (typeof value === "number" && value >= 0), 0],
  limit: [FUNCTION_RULE, isFunction, () => 0],
  timeoutMs: ["milliseconds", (value) => typeof value === "number" && value > 0, 60_000],
  upstream: [
    "a URL such as https://gateway.example/{chain_id}",
    (value) => /^https?:\/\/[^?#@\\\s]+$/.test(value),
    "https://api.blockscout.com/{chain_id}",
  ],
  // The request is left out: its headers have the cookies of the visitor.
  onError: [FUNCTION_RULE, isFunction, (error: unknown) => console.error(error)],
};

/** Adds the defaults. Throws for the first invalid option. */
export function readOptions<Context extends readonly unknown[]>(options: ProxyOptions<Context>): Settings<Context> {
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys({ ...RULES, ...options })) {
    const [rule, isValid, fallback] = (Object.hasOwn(RULES, name) && RULES[name]) || [];
    if (!isValid) throw new TypeError(`${name}: unknown option; valid options are ${Object.keys(RULES).join(", ")}`);
    settings[name] = (options as Value)?.[name] ?? fallback;
    if (!isValid(settings[name])) throw new TypeError(`${name}: must be ${rule}`);
  }
  return settings as Value;
}

/** Returns the id of a chain. */
export const getChainId = (chain: Value): number => chain?.id ?? chain;

const isChain = (chain: Value) => Number.isSafeInteger(getChainId(chain)) && getChainId(chain) > 0;
