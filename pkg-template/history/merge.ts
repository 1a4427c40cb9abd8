// Merges sources by block.
import type { AddressQueryError } from "../public.js";
import type { Draft } from "./draft.js";
import type { BlockDrafts, Source } from "./source.js";

/** The drafts of all sources in one block. */
export interface MergedBlock {
  block: number;
  drafts: Draft[];
}

/** A k-way merge. It holds the next block of each source. Sources whose block was used are read concurrently. */
export async function* mergeBlocks(
  sources: readonly Source[],
  isAscending: boolean,
): AsyncGenerator<MergedBlock, undefined, undefined> {
  /** The next block of each source: null at its end, undefined if it was not read yet. */
  let heads: (BlockDrafts | null | undefined)[] = [];
  for (;;) {
    const reads = sources.map((source, i) => (heads[i] === undefined ? source.next() : heads[i]));
    const read = await Promise.all(reads).catch(async (error: AddressQueryError) => {
      // The other requests have cost credits. Their responses may complete their sources, which then need not be read
      // again.
      if (error.code === "credit_limit") await Promise.allSettled(reads);
      throw error;
    });
    const blocks = read.flatMap((head) => head?.block ?? []);
    if (blocks.length === 0) return;
    const block = isAscending ? Math.min(...blocks) : Math.max(...blocks);
    heads = read.map((head) => (head?.block === block ? undefined : head));
    yield { block, drafts: read.flatMap((head) => (head?.block === block ? head.drafts : [])) };
  }
}
