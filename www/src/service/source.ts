// The source of a chain in the route, and of stored records.
import type { ClientSource } from "address-query";
import { KNOWN_CHAINS, openService, toGatewaySource } from "./service.js";

/** The instance of a chain if the package knows it, otherwise the gateway. */
export const toChainSource = (chainId: number): string =>
  [...KNOWN_CHAINS].find(([, { id }]) => id === chainId)?.[0] ?? toGatewaySource(chainId);

export function toSource({ chainId, baseUrl = "" }: ClientSource): string {
  if (chainId != null) return toChainSource(chainId);
  return baseUrl === openService("").client.source.baseUrl ? "" : baseUrl;
}
