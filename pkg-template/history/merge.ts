// Merges sources by block.
import type { Draft } from "./draft.js";
import type { BlockDrafts, Source } from "./source.js";
import type { StartToken } from "./sources.js";

/** The drafts of all sources in one block. */
export interface MergedBlock {
  block: number;
  drafts: Draft[];
  /** Where each source continues from this block on. */
  starts: StartToken[];
}

/** A k-way merge. It holds the next block of each source. */
export class Merge {
  readonly #sources: readonly Source[];
  readonly #isAscending: boolean;
  /** The next block of each source: null at its end, undefined if it was not read yet. */
  readonly #heads: (BlockDrafts | null | undefined)[];

  constructor(sources: readonly Source[], isAscending: boolean) {
    this.#sources = sources;
    this.#isAscending = isAscending;
    this.#heads = sources.map(() => undefined);
  }

  /** Returns the next block, or null at the end. The sources that were used up are read at the same time. */
  async next(): Promise<MergedBlock | null> {
    const heads = await Promise.all(
      this.#sources.map((source, i) => (this.#heads[i] === undefined ? source.next() : this.#heads[i])),
    );
    const blocks = heads.flatMap((head) => (head ? [head.block] : []));
    if (blocks.length === 0) return null;
    const block = this.#isAscending ? Math.min(...blocks) : Math.max(...blocks);
    heads.forEach((head, i) => {
      this.#heads[i] = head?.block === block ? undefined : head;
    });
    return {
      block,
      drafts: heads.flatMap((head) => (head?.block === block ? head.drafts : [])),
      starts: heads.map((head) => (head ? head.resumeToken : false)),
    };
  }

  close(): void {
    for (const source of this.#sources) source.close();
  }
}
