// The services that the page can read from. Each has one client, because a client keeps the rate limit of its service.
import { AddressClient, type ClientOptions, type Fetch } from "address-query";
import * as chains from "address-query/chains";
import { getApiKey } from "./api-key.js";
import { networkLog } from "./network-log.js";

export interface Coin {
  symbol: string;
  decimals: number;
}

export interface Service {
  /**
   * The source in the route: "" for sample data, `mainnet` for a known chain, `gateway:1` for a chain of the gateway, or a base
   * URL.
   */
  source: string;
  label: string;
  client: AddressClient;
  coin: Coin;
  /** Null: not known. */
  chainId: number | null;
}

const isChain = (value: unknown): value is chains.Chain => typeof value === "object" && value !== null && "baseUrl" in value;

/** The chains of the package by their names, such as `mainnet`. */
export const KNOWN_CHAINS: ReadonlyMap<string, chains.Chain> = new Map(
  Object.entries(chains).filter((entry): entry is [string, chains.Chain] => isChain(entry[1])),
);

const ETHER: Coin = { symbol: "ETH", decimals: 18 };
const UNKNOWN_COIN: Coin = { symbol: "", decimals: 18 };

/** The source of a chain that Blockscout's gateway serves. Requires an API key. */
export const toGatewaySource = (chainId: number): string => `gateway:${chainId}`;

/** The chain id of a source of the gateway. Null: another source. */
export function gatewayChainId(source: string): number | null {
  const [, id] = /^gateway:([1-9]\d{0,14})$/.exec(source) ?? [];
  return id === undefined ? null : Number(id);
}

/** Reads the sample data, which is loaded with the first request. */
const sampleFetch: Fetch = async (url, init) => (await import("./sample.js")).sampleFetch(url, init);

/** A short timeout, so that the retry after a lost response is visible soon. */
const SAMPLE_OPTIONS = { timeoutMs: 5000 };

function createService(source: string): Service {
  const createClient = (options: ClientOptions) =>
    new AddressClient({
      ...options,
      // The visitor's own key.
      allowKeyInPage: true,
      onEvent: (event) => networkLog.add(event),
      onDrift: (drift) => networkLog.add({ kind: "drift", drift }),
    });
  if (source === "") {
    const client = createClient({ baseUrl: "https://sample.invalid", fetch: sampleFetch, ...SAMPLE_OPTIONS });
    return { source, label: "Sample data", client, coin: ETHER, chainId: 1 };
  }
  const chain = KNOWN_CHAINS.get(source);
  if (chain) return { source, label: chain.name, client: createClient({ chain }), coin: chain.nativeCurrency, chainId: chain.id };
  const gatewayId = gatewayChainId(source);
  const client = createClient(gatewayId === null ? { baseUrl: source } : { chainId: gatewayId, apiKey: getApiKey });
  // The URL of a gateway proxy ends with the chain id.
  const chainId = gatewayId ?? (Number(/[^/]\/([1-9]\d{0,14})\/?$/.exec(source)?.[1]) || null);
  if (chainId === null) return { source, label: source, client, coin: UNKNOWN_COIN, chainId };
  const known = [...KNOWN_CHAINS.values()].find(({ id }) => id === chainId);
  const name = known?.name ?? `Chain ${chainId}`;
  const label = `${name} (${gatewayId === null ? "proxy" : "gateway"})`;
  return { source, label, client, coin: known?.nativeCurrency ?? UNKNOWN_COIN, chainId };
}

const services = new Map<string, Service>();

export function openService(source: string): Service {
  const service = services.get(source) ?? createService(source);
  services.set(source, service);
  return service;
}
