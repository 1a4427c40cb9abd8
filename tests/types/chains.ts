// The options that select the instance, with chains of this package and of viem.
import { AddressClient, formatAmount, type ChainLike } from "address-query";
import { base, type Chain } from "address-query/chains";

/** The members of viem's type `Chain` that matter here, as viem declares them. */
type ViemChain = {
  id: number;
  name: string;
  nativeCurrency: { name: string; symbol: string; decimals: number };
  blockExplorers?: { [key: string]: ViemExplorer; default: ViemExplorer } | undefined;
  testnet?: boolean | undefined;
};
type ViemExplorer = { name: string; url: string; apiUrl?: string | undefined };

/** A chain as viem defines it: its type has the literal values. */
const soneium = {
  id: 1868,
  name: "Soneium Mainnet",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  blockExplorers: {
    default: { name: "Blockscout", url: "https://soneium.blockscout.com", apiUrl: "https://soneium.blockscout.com/api" },
  },
} as const;

export const formatted: string = formatAmount("1", base.nativeCurrency);

export function clients(viem: ViemChain, connected: ViemChain | undefined, custom: Chain): AddressClient[] {
  const chains: ChainLike[] = [base, custom, viem, soneium];
  // @ts-expect-error the gateway needs a key
  new AddressClient({ chainId: 8453 });
  // @ts-expect-error an id is a number
  new AddressClient({ chainId: "8453" });
  // @ts-expect-error constants do not change
  base.baseUrl = "";
  return [
    ...chains.map((chain) => new AddressClient({ chain })),
    new AddressClient({ chain: connected }),
    new AddressClient({ chainId: 8453, apiKey: "" }),
    new AddressClient({ chainId: 8453, baseUrl: "/api/blockscout" }),
  ];
}
