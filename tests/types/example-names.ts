// Names that the documented examples use without declaring them. Declarations in an example hide these.
import type * as entry from "address-query";
import type { SampleService } from "address-query/testing";

declare global {
  const AddressClient: typeof entry.AddressClient;
  const createPageFetch: typeof import("address-query/testing").createPageFetch;
  const createSampleGateway: typeof import("address-query/testing").createSampleGateway;
  const createSampleService: typeof import("address-query/testing").createSampleService;
  const init: typeof import("address-query/slim").init;
  const checksumAddress: typeof entry.checksumAddress;
  const requireChecksums: typeof entry.requireChecksums;
  const fiatValue: typeof entry.fiatValue;
  const formatAmount: typeof entry.formatAmount;
  const keyOf: typeof entry.keyOf;
  const page: { items: entry.Log[] };
  const formatUnits: typeof entry.formatUnits;
  const parseUnits: typeof entry.parseUnits;
  const sumDecimals: typeof entry.sumDecimals;
  const client: entry.AddressClient;
  const account: entry.AddressClient["account"];
  const service: SampleService;
  const transfer: entry.TokenTransfer;
  const address_hash: string;
  const transaction_hash: string;
  const token_id: string;
  const block_hash_or_number: number;
  const user_operation_hash: string;
  const timestamp: number;
  const fromBlock: number;
  const toBlock: number | "latest";
  const to: string[];
  const data: string[];
  const closest: "before" | "after";
  const address: string;
  const contractaddress: string;
  const contractaddresses: string[];
  const q: string;
  const txhash: string;
  const addresses: string[];

  function show(value: unknown): void;
  function save(record: unknown): void;
  function retryLater(resumeToken: string | undefined): void;

  // Globals of server runtimes.
  const process: {
    readonly env: Readonly<Record<string, string | undefined>>;
    once(signal: string, listener: () => void): unknown;
  };
  const Deno: { env: { get(name: string): string | undefined }; serve(options: { port: number }, handler: Handler): unknown };
  const Bun: { serve(options: { port: number; fetch: Handler }): unknown };
  type Handler = (request: Request, context: { readonly ip: string }) => Promise<Response>;

  namespace JSX {
    type Element = unknown;
    interface IntrinsicElements {
      input: { onChange?: (event: { target: { value: string } }) => void; [attribute: string]: unknown };
      [name: string]: unknown;
    }
  }
}
