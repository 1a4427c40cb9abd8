// The ABI of a contract is assignable to the type that viem and abitype expect.
import type { AddressClient } from "address-query";

// The types of abitype 1, without the members that a caller may leave out and this package does not have.
type Parameter = { type: string; name?: string | undefined; internalType?: string | undefined } & (
  | { type: string }
  | { type: "tuple" | `tuple[${string}]`; components: readonly Parameter[] }
);
type Mutability<Kind> = { stateMutability: Kind };
type Abi = readonly (
  | ({ type: "function"; name: string; inputs: readonly Parameter[]; outputs: readonly Parameter[] } & Mutability<
      "pure" | "view" | "nonpayable" | "payable"
    >)
  | ({ type: "constructor"; inputs: readonly Parameter[] } & Mutability<"nonpayable" | "payable">)
  | ({ type: "fallback" } & Mutability<"nonpayable" | "payable">)
  | ({ type: "receive" } & Mutability<"payable">)
  | {
      type: "event";
      name: string;
      anonymous?: boolean | undefined;
      inputs: readonly (Parameter & { indexed?: boolean | undefined })[];
    }
  | { type: "error"; name: string; inputs: readonly Parameter[] }
)[];

declare function getContract(options: { abi: Abi }): void;

export async function readAbi(client: AddressClient, address_hash: string): Promise<string[]> {
  const { abi } = await client.smartContract({ address_hash });
  getContract({ abi });
  return abi.flatMap((item) => (item.type === "function" ? item.outputs.map(({ type }) => type) : []));
}
