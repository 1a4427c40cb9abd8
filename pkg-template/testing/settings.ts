// The options of a sample service with their defaults.

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
/** The limit of the page size in version 12. */
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

/** Checks the options, and adds the default values. */
export function parseOptions(options: SampleServiceOptions): Settings {
  const names = Object.keys(DEFAULTS);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`unknown option ${unknown}; valid options are ${names.join(", ")}`);
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
  requireNonNegative("blocksPerRequest", settings.blocksPerRequest);
  requireNonNegative("firstTracedBlock", settings.firstTracedBlock);
  requireNonNegative("graphqlMaxComplexity", settings.graphqlMaxComplexity);
  if (!Array.isArray(settings.apiKeys)) throw new RangeError("apiKeys must be an array of strings");
  if (!Array.isArray(settings.unservedRecords)) throw new RangeError("unservedRecords must be an array of strings");
  if (settings.rateLimit) checkRateLimit("rateLimit", settings.rateLimit);
  const stray = Object.keys(settings.routes).find((path) => !/^\/[^?#]*$/.test(path));
  if (stray !== undefined) throw new RangeError(`routes: a path must begin with / and have no query, got ${stray}`);
  const versionNames = chainType === "ethereum" ? VERSION_NAMES : ROLLUP_VERSION_NAMES;
  const { versionName = versionNames[backendVersion] } = settings;
  const statesL1Fee = backendVersion >= 12 && !/^v?12\.0\.[01](?!\d)/.test(versionName ?? "");
  return { ...settings, versionName, maxPageSize, statesL1Fee };
}

/** Throws unless a rate limit is valid. `option` is its name in messages. */
function checkRateLimit(option: string, { requests, windowMs = 1, blockMs = 0, statesReset: _, ...rest }: SampleRateLimit): void {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new RangeError(`unknown option ${option}.${unknown}; valid options are requests, windowMs, blockMs, statesReset`);
  }
  requireNonNegative(`${option}.requests`, requests);
  requirePositive(`${option}.windowMs`, windowMs);
  requireNonNegative(`${option}.blockMs`, blockMs);
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
