// The options of a sample service with their defaults.

import type { Chain } from "./ledger/chain.js";
import type {
  BackendVersion,
  ChainType,
  SampleFaults,
  SampleRateLimit,
  SampleRoute,
  SampleServiceOptions,
} from "./public-types.js";

const BACKEND_VERSIONS: readonly BackendVersion[] = [8, 9, 11, 12];
const CHAIN_TYPES: readonly ChainType[] = ["ethereum", "optimism"];
const KEY_REQUIREMENTS = ["never", "account_module", "always"] as const;
const DEFAULT_MAX_PAGE_SIZE = 100;

const VERSION_NAMES: Readonly<Record<BackendVersion, string>> = { 8: "v8.1.2", 9: "v9.3.2", 11: "v11.2.7", 12: "v12.0.1" };
/** The first version whose account module has the fee for data on layer 1. */
const ROLLUP_VERSION_NAMES = { ...VERSION_NAMES, 12: "v12.0.2" };

const DEFAULTS = {
  seed: 1,
  backendVersion: 11 as BackendVersion,
  latencyMs: 0,
  pageSize: 50,
  blocksPerRequest: 0,
  firstTracedBlock: 0,
  graphqlMaxComplexity: 100,
  hasEthCall: true,
  faults: { rate: 0 } as SampleFaults,
  unservedRecords: [] as readonly string[],
  chainType: "ethereum" as ChainType,
  /** Undefined: the usual version name. */
  versionName: undefined as string | null | undefined,
  /** Undefined: 100, or the page size if it is larger. */
  maxPageSize: undefined as number | undefined,
  requiresKey: "never" as (typeof KEY_REQUIREMENTS)[number],
  apiKeys: [] as readonly string[],
  requiresReferer: false,
  rateLimit: undefined as SampleRateLimit | undefined,
  routes: {} as Readonly<Record<string, SampleRoute>>,
};

/** The options of a sample service, all of them present. */
export interface Settings extends Omit<typeof DEFAULTS, "versionName" | "maxPageSize"> {
  readonly versionName: string | null;
  readonly maxPageSize: number;
  /** Whether the account module states the fee for data on layer 1. Added in 12.0.2. */
  readonly statesL1Fee: boolean;
}

/** A deployment of the service: its chain and its settings. */
export type Instance = { readonly chain: Chain; readonly settings: Settings };

export function parseOptions(options: SampleServiceOptions): Settings {
  rejectUnknown(options, Object.keys(DEFAULTS));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<typeof DEFAULTS>) };
  const { backendVersion, chainType, pageSize, maxPageSize = Math.max(DEFAULT_MAX_PAGE_SIZE, pageSize) } = settings;
  requireChoice("backendVersion", backendVersion, BACKEND_VERSIONS);
  requireChoice("chainType", chainType, CHAIN_TYPES);
  requireChoice("requiresKey", settings.requiresKey, KEY_REQUIREMENTS);
  requirePositive("pageSize", pageSize);
  requirePositive("maxPageSize", maxPageSize);
  if (maxPageSize < pageSize)
    throw new RangeError(`maxPageSize must be at least pageSize, which is ${pageSize}, got ${maxPageSize}`);
  for (const name of ["blocksPerRequest", "firstTracedBlock", "graphqlMaxComplexity"] as const)
    requireNonNegative(name, settings[name]);
  for (const name of ["apiKeys", "unservedRecords"] as const)
    if (!Array.isArray(settings[name])) throw new RangeError(`${name} must be an array of strings`);
  if (settings.rateLimit) checkRateLimit(settings.rateLimit);
  const stray = Object.keys(settings.routes).find((path) => !/^\/[^?#]*$/.test(path));
  if (stray !== undefined) throw new RangeError(`routes: a path must begin with / and have no query, got ${stray}`);
  const versionNames = chainType === "ethereum" ? VERSION_NAMES : ROLLUP_VERSION_NAMES;
  const { versionName = versionNames[backendVersion] } = settings;
  const statesL1Fee = backendVersion >= 12 && !/^v?12\.0\.[01](?!\d)/.test(versionName ?? "");
  return { ...settings, versionName, maxPageSize, statesL1Fee };
}

function checkRateLimit(limit: SampleRateLimit): void {
  rejectUnknown(limit, ["requests", "windowMs", "blockMs", "statesReset"], "rateLimit.");
  requireNonNegative("rateLimit.requests", limit.requests);
  requirePositive("rateLimit.windowMs", limit.windowMs ?? 1);
  requireNonNegative("rateLimit.blockMs", limit.blockMs ?? 0);
}

/** Throws if there is an option with another name. Messages have `prefix` before the name, and `place` after it. */
export function rejectUnknown(options: object, names: readonly string[], prefix = "", place = ""): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new RangeError(`unknown option ${prefix}${unknown}${place}; valid options are ${names.join(", ")}`);
}

function requireChoice<Choice>(option: string, value: Choice, choices: readonly Choice[]): void {
  if (!choices.includes(value)) throw new RangeError(`${option} must be one of ${choices.join(", ")}, got ${value}`);
}

function requirePositive(option: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`${option} must be a positive integer, got ${value}`);
}

export function requireNonNegative(option: string, value: number): void {
  if (!Number.isInteger(value) || value < 0) throw new RangeError(`${option} must be a non-negative integer, got ${value}`);
}
