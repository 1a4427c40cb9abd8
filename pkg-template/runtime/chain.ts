// Selects the instance that a client reads, from the options `baseUrl`, `chain` and `chainId`.
import { checkOptions } from "./check-options.js";
import { createParameterError } from "./errors.js";
import { clientOptions } from "./option-table.js";
import type { ClientOptions as ClientOptionMembers } from "./options.js";

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

/**
 * Replaces `chain` by `baseUrl`, or by `chainId` for the gateway. Throws if the options do not select an instance.
 * @internal
 */
export function selectInstance({ chain, ...options }: Partial<ClientOptionMembers>): Partial<ClientOptionMembers> {
  if (chain != null && options.chainId != null) throw createParameterError("chainId", "must not be combined with chain");
  const ownUrl = chain && findBaseUrl(chain);
  const selected = { baseUrl: options.baseUrl ?? ownUrl, chainId: options.chainId ?? chain?.id };
  checkOptions(selected, clientOptions);
  // The URL of a chain is that of its instance, never that of a proxy for several chains.
  if (options.baseUrl == null && ownUrl != null) return { ...options, baseUrl: ownUrl, chainId: undefined };
  if (selected.baseUrl == null) {
    if (selected.chainId == null)
      throw createParameterError("baseUrl", "is required: the URL of a Blockscout instance, unless chain or chainId is given");
    if (options.apiKey == null) {
      throw createParameterError(
        "apiKey",
        `is required to read chain ${selected.chainId} through the gateway; without a key, set baseUrl or a chain of address-query/chains`,
      );
    }
  }
  return { ...options, ...selected };
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
