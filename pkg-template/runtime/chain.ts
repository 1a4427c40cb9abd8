// Selects the instance that a client reads, from the options `baseUrl`, `chain` and `chainId`.
import { checkOptions } from "./arguments.js";
import { createParameterError } from "./errors.js";
import { FOREIGN_KEY, GATEWAY_KEY } from "./limits.js";
import { clientOptions } from "./option-table.js";
import type { ClientOptions as ClientOptionMembers } from "./options.js";
import { gateway } from "./plain-values.js";

/** A chain: a constant of `address-query/chains`, or a `Chain` of viem. */
export interface ChainLike {
  /** The chain id. */
  readonly id: number;
  /** URL of the chain's Blockscout instance. */
  readonly baseUrl?: string | undefined;
  /** The chain's explorers. The first one of Blockscout with an `apiUrl` is used. */
  readonly blockExplorers?: { readonly [name: string]: Explorer } | undefined;
}

/** The options of a client. `chainId` needs the key of the gateway, or the proxy at `baseUrl`. */
export type ClientOptions = ClientOptionMembers &
  ({ chainId?: undefined } | { chainId: number; apiKey: ClientOptionMembers["apiKey"] } | { chainId: number; baseUrl: string });

interface Explorer {
  readonly name: string;
  readonly apiUrl?: string | undefined;
}

/** The chains of the instances in `address-query/chains`, by host without `blockscout.com`. */
const INSTANCES: Readonly<Record<string, number>> = {
  "arbitrum.": 42_161,
  "base.": 8453,
  "blockscout.lisk.com": 1135,
  "celo-sepolia.": 11_142_220,
  "celo.": 42_220,
  "etc.": 61,
  "eth-sepolia.": 11_155_111,
  "eth.": 1,
  "explorer.inkonchain.com": 57_073,
  "explorer.mode.network": 34_443,
  "explorer.plume.org": 98_866,
  "explorer.redstone.xyz": 690,
  "gnosis.": 100,
  "megaeth.": 4326,
  "optimism-sepolia.": 11_155_420,
  "optimism.": 10,
  "polygon.": 137,
  "robinhoodchain.": 4663,
  "rootstock.": 30,
  "scroll.": 534_352,
  "soneium.": 1868,
  "zksync.": 324,
};

/** The host of a URL, if it has one, and the id of a chain at its end. */
const PARTS = /^\s*(?:https?:)?(?:\/\/)?([\w.-]*)[^?#]*?(?:\/(\d+))?(?:\/api(?:\/v\d)?)?\/*(?:[?#]|\s*$)/;

/**
 * Replaces `chain` by its id, and `baseUrl` by the URL that the requests go to. Throws if the options do not select an instance, or
 * select two.
 * @internal
 */
export function selectInstance({ chain, ...options }: Partial<ClientOptionMembers>): Partial<ClientOptionMembers> {
  if (chain != null && options.chainId != null) throw createParameterError("chainId", "must not be combined with chain");
  const ownUrl = chain && findBaseUrl(chain);
  const { apiKey } = options;
  const chainId = options.chainId ?? chain?.id;
  const baseUrl = options.baseUrl ?? ownUrl;
  checkOptions({ baseUrl, chainId }, clientOptions);
  if (baseUrl == null && chainId == null)
    throw createParameterError("baseUrl", "is required: the URL of a Blockscout instance, unless chain or chainId is given");
  if (baseUrl == null && apiKey == null) {
    throw createParameterError(
      "apiKey",
      `is required to read chain ${chainId} through the gateway; without a key, set baseUrl or a chain of address-query/chains`,
    );
  }
  if (chainId == null) return options;
  const url = baseUrl ?? gateway;
  const withId = appendId(url, chainId);
  const [, host = "", idInPath] = PARTS.exec(url.toLowerCase()) ?? [];
  const name = host.replace(/\.blockscout\.com$/, ".");
  const known = idInPath ?? (Object.hasOwn(INSTANCES, name) ? INSTANCES[name] : undefined);
  if (known !== undefined && Number(known) !== chainId)
    throw createParameterError(chain ? "chain" : "chainId", `the base URL reads chain ${known}, not chain ${chainId}`);
  const isHosted = name !== host && name !== "api.";
  const isInstance = !idInPath && (known || isHosted || (ownUrl != null && appendId(ownUrl, chainId) === withId));
  if (isInstance && typeof apiKey === "string" && apiKey.startsWith(GATEWAY_KEY))
    throw createParameterError("apiKey", FOREIGN_KEY);
  return { ...options, chainId, baseUrl: idInPath || isInstance ? url : withId };
}

/** Appends the id of a chain to the URL of a gateway or proxy. The module rejects URLs that do not match. */
function appendId(url: string, id: number): string {
  const [, base] = /^\s*(\/(?!\/)|\S*?[^\s?#:/])\/*(?:[?#]\S*)?\s*$/.exec(url) ?? [];
  return base === undefined ? url : `${base === "/" ? "" : base}/${id}`;
}

/** Other explorers have URLs of the same form, but another API. */
function findBaseUrl({ baseUrl, blockExplorers }: ChainLike): string | undefined {
  const explorers = blockExplorers ?? {};
  if (typeof explorers !== "object" || !Object.values(explorers).every(isExplorer)) {
    throw createParameterError("chain", "blockExplorers must be an object of explorers with name and apiUrl, both strings");
  }
  const isBlockscout = ({ name, apiUrl }: Explorer) => /blockscout/i.test(name + apiUrl) && /\/api(\/v2)?\/?$/.test(apiUrl ?? "");
  return baseUrl ?? Object.values(explorers).find(isBlockscout)?.apiUrl;
}

function isExplorer(explorer: Partial<Explorer> | null): boolean {
  return typeof explorer?.name === "string" && typeof (explorer.apiUrl ?? "") === "string";
}
