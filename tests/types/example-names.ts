// Names that documented examples use and leave to the reader. What an example declares itself hides them.
import type { DefaultError, InfiniteData, InfiniteQueryObserverOptions, QueryKey } from "@tanstack/query-core";
import type * as entry from "address-query";
import type { SampleService } from "address-query/testing";

declare global {
  const AddressClient: typeof entry.AddressClient;
  const createSampleService: typeof import("address-query/testing").createSampleService;
  const init: typeof import("address-query/slim").init;
  const formatAmount: typeof entry.formatAmount;
  const keyOf: typeof entry.keyOf;
  const page: { items: entry.Log[] };
  const formatUnits: typeof entry.formatUnits;
  const parseUnits: typeof entry.parseUnits;
  const client: entry.AddressClient;
  const account: entry.AddressClient["account"];
  const service: SampleService;
  const transfer: entry.TokenTransfer;
  const address_hash: string;
  const address: string;
  const contractaddress: string;
  const addresses: string[];
  const hashes: string[];

  function show(value: unknown): void;
  function book(transaction: entry.AccountTransaction): void;
  function warn(blocks: entry.RangeReport["incompleteBlocks"] | undefined): void;
  function wait(ms: number): Promise<void>;
  function later(resumeToken: string | undefined): void;
  function fetchKeyFromMyServer(): Promise<string>;

  // Of @tanstack/react-query, which adds only React's part to it.
  function useInfiniteQuery<Page, Param>(
    options: InfiniteQueryObserverOptions<Page, DefaultError, InfiniteData<Page, Param>, QueryKey, Param>,
  ): { data: InfiniteData<Page, Param> | undefined; fetchNextPage(): Promise<unknown>; hasNextPage: boolean };

  namespace JSX {
    type Element = unknown;
    interface IntrinsicElements {
      [name: string]: unknown;
    }
  }
}
