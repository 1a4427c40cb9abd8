// Entry address-query/chains: public Blockscout instances, as of 2026-11-22. Bundlers leave out the
// constants that an app does not use, so no exported constant refers to another. The names match viem/chains.

import type { ChainLike, ClientOptions } from "./chain.js";
import { type AddressQueryError, isAddressQueryError } from "./errors.js";
import type { ClientOptions as ClientOptionMembers } from "./options.js";

/** A chain with a public Blockscout instance, for the option `chain` of a client. */
export interface Chain {
  /** The chain id (EIP-155). */
  readonly id: number;
  /** Name to show. */
  readonly name: string;
  /** URL of the instance on 2026-11-22. Instances move: let your configuration override it. */
  readonly baseUrl: string;
  /** The native coin. `formatAmount(wei, chain.nativeCurrency)` formats an amount of it. */
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
}

const ETHER = { name: "Ether", symbol: "ETH", decimals: 18 };
const CELO = { name: "CELO", symbol: "CELO", decimals: 18 };

/** Ethereum (1). */
export const mainnet: Chain = { id: 1, name: "Ethereum", baseUrl: "https://eth.blockscout.com", nativeCurrency: ETHER };

/** Sepolia (11155111). */
export const sepolia: Chain = {
  id: 11_155_111,
  name: "Sepolia",
  baseUrl: "https://eth-sepolia.blockscout.com",
  nativeCurrency: ETHER,
};

/** OP Mainnet (10). */
export const optimism: Chain = { id: 10, name: "OP Mainnet", baseUrl: "https://optimism.blockscout.com", nativeCurrency: ETHER };

/** OP Sepolia (11155420). */
export const optimismSepolia: Chain = {
  id: 11_155_420,
  name: "OP Sepolia",
  baseUrl: "https://optimism-sepolia.blockscout.com",
  nativeCurrency: ETHER,
};

/** Base (8453). */
export const base: Chain = { id: 8453, name: "Base", baseUrl: "https://base.blockscout.com", nativeCurrency: ETHER };

/** Gnosis (100). */
export const gnosis: Chain = {
  id: 100,
  name: "Gnosis",
  baseUrl: "https://gnosis.blockscout.com",
  nativeCurrency: { name: "xDAI", symbol: "XDAI", decimals: 18 },
};

/** Arbitrum One (42161). */
export const arbitrum: Chain = {
  id: 42_161,
  name: "Arbitrum One",
  baseUrl: "https://arbitrum.blockscout.com",
  nativeCurrency: ETHER,
};

/** Polygon PoS (137). */
export const polygon: Chain = {
  id: 137,
  name: "Polygon PoS",
  baseUrl: "https://polygon.blockscout.com",
  nativeCurrency: { name: "POL", symbol: "POL", decimals: 18 },
};

/** Celo (42220). */
export const celo: Chain = { id: 42_220, name: "Celo", baseUrl: "https://celo.blockscout.com", nativeCurrency: CELO };

/** Celo Sepolia (11142220). */
export const celoSepolia: Chain = {
  id: 11_142_220,
  name: "Celo Sepolia",
  baseUrl: "https://celo-sepolia.blockscout.com",
  nativeCurrency: CELO,
};

/** Ethereum Classic (61). */
export const classic: Chain = {
  id: 61,
  name: "Ethereum Classic",
  baseUrl: "https://etc.blockscout.com",
  nativeCurrency: { name: "ETC", symbol: "ETC", decimals: 18 },
};

/** Rootstock (30). */
export const rootstock: Chain = {
  id: 30,
  name: "Rootstock",
  baseUrl: "https://rootstock.blockscout.com",
  nativeCurrency: { name: "Rootstock Bitcoin", symbol: "RBTC", decimals: 18 },
};

/** Scroll (534352). */
export const scroll: Chain = { id: 534_352, name: "Scroll", baseUrl: "https://scroll.blockscout.com", nativeCurrency: ETHER };

/** ZKsync Era (324). */
export const zksync: Chain = { id: 324, name: "ZKsync Era", baseUrl: "https://zksync.blockscout.com", nativeCurrency: ETHER };

/** Soneium (1868). */
export const soneium: Chain = { id: 1868, name: "Soneium", baseUrl: "https://soneium.blockscout.com", nativeCurrency: ETHER };

/** Lisk (1135). */
export const lisk: Chain = { id: 1135, name: "Lisk", baseUrl: "https://blockscout.lisk.com", nativeCurrency: ETHER };

/** Ink (57073). */
export const ink: Chain = { id: 57_073, name: "Ink", baseUrl: "https://explorer.inkonchain.com", nativeCurrency: ETHER };

/** Mode (34443). */
export const mode: Chain = { id: 34_443, name: "Mode", baseUrl: "https://explorer.mode.network", nativeCurrency: ETHER };

/** Redstone (690). */
export const redstone: Chain = { id: 690, name: "Redstone", baseUrl: "https://explorer.redstone.xyz", nativeCurrency: ETHER };

/** Plume (98866). */
export const plumeMainnet: Chain = {
  id: 98_866,
  name: "Plume",
  baseUrl: "https://explorer.plume.org",
  nativeCurrency: { name: "Plume", symbol: "PLUME", decimals: 18 },
};

/** MegaETH (4326). */
export const megaeth: Chain = { id: 4326, name: "MegaETH", baseUrl: "https://megaeth.blockscout.com", nativeCurrency: ETHER };

/** Robinhood Chain (4663). */
export const robinhood: Chain = {
  id: 4663,
  name: "Robinhood Chain",
  baseUrl: "https://robinhoodchain.blockscout.com",
  nativeCurrency: ETHER,
};

/** Returns the chain with an id, if it is one of the chains here. A bundle then contains all of them. */
export function findChain(id: number | null): Chain | undefined {
  const all = [
    mainnet,
    sepolia,
    optimism,
    optimismSepolia,
    base,
    gnosis,
    arbitrum,
    polygon,
    celo,
    celoSepolia,
    classic,
    rootstock,
    scroll,
    zksync,
    soneium,
    lisk,
    ink,
    mode,
    redstone,
    plumeMainnet,
    megaeth,
    robinhood,
  ];
  return all.find((chain) => chain.id === id);
}

/** A chain, and the client that reads it. */
export interface ChainClient<Client> {
  /** The chain id. */
  readonly chain_id: number;
  /** Name to show. Null: a chain that is not listed here, and was passed by its id. */
  readonly name: string | null;
  /** The native coin. Null, like `name`. */
  readonly nativeCurrency: Chain["nativeCurrency"] | null;
  readonly client: Client;
}

/** The result of a read on one chain: its value, or the error of the chain. */
export type ChainResult<Client, Value> = ChainClient<Client> &
  ({ readonly value: Value; readonly error: null } | { readonly value: null; readonly error: AddressQueryError });

/** The clients of several chains, in the order in which the chains were passed. */
export interface Chains<Client> extends Iterable<ChainClient<Client>> {
  /** Returns the chain with an id. Undefined: it was not passed. */
  get(chain_id: number): ChainClient<Client> | undefined;
  /**
   * Reads each chain, all concurrently. A chain that fails has its error in its result, and the others are not affected. Rejects only if
   * `read` fails with another error than an {@link AddressQueryError}.
   */
  each<Value>(read: (client: Client, chain: ChainClient<Client>) => PromiseLike<Value>): Promise<ChainResult<Client, Value>[]>;
  /** Returns an account for each chain and address, for `mergeHistories` and `portfolio`. */
  accounts(addresses: readonly string[]): { client: Client; address_hash: string }[];
}

/**
 * Creates a client for each of several chains, with the same options.
 *
 * @remarks
 * A number is read through the gateway with the option `apiKey`, or through the proxy at `baseUrl`. A chain of this entry, or of viem, is
 * read as by the option `chain` of a client: without `baseUrl`, from its instance.
 *
 * @param AddressClient - The class of the entry that the app uses, so that it loads no other module.
 *
 * @example
 * ```ts
 * import { AddressClient, formatAmount } from "address-query";
 * import { chains } from "address-query/chains";
 *
 * const all = chains(AddressClient, { baseUrl: "/api/blockscout" }, [1, 10, 8453]);
 * for (const { name, nativeCurrency, value, error } of await all.each((client) => client.account.balance({ address })))
 *   console.log(name, error ? error.userMessage : formatAmount(value, nativeCurrency));
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown, missing or of a wrong type.
 */
export function chains<Client>(
  AddressClient: new (options: ClientOptions) => Client,
  options: Omit<ClientOptionMembers, "chain" | "chainId">,
  selected: readonly (number | (ChainLike & Partial<Chain>))[],
): Chains<Client> {
  const list = selected.map((chain): ChainClient<Client> => {
    const isId = typeof chain === "number";
    const chain_id = isId ? chain : chain.id;
    const { name = null, nativeCurrency = null } = (isId ? findChain(chain) : chain) ?? {};
    const client = new AddressClient({ ...options, ...(isId ? { chainId: chain } : { chain }) } as ClientOptions);
    return { chain_id, name, nativeCurrency, client };
  });
  const attempt = async <Value>(chain: ChainClient<Client>, read: () => PromiseLike<Value>) => {
    try {
      return { ...chain, value: await read(), error: null };
    } catch (error) {
      if (!isAddressQueryError(error)) throw error;
      return { ...chain, value: null, error };
    }
  };
  return {
    get: (chain_id) => list.find((chain) => chain.chain_id === chain_id),
    each: (read) => Promise.all(list.map((chain) => attempt(chain, () => read(chain.client, chain)))),
    accounts: (addresses) => list.flatMap(({ client }) => addresses.map((address_hash) => ({ client, address_hash }))),
    [Symbol.iterator]: () => list[Symbol.iterator](),
  };
}
