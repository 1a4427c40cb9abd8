// A list in ascending order. The service returns lists newest first, so the list is first read to its end.
import type { Omitted } from "../objects.js";
import { sumOmitted } from "../omitted.js";
import { createOrderCheck, type ListedItem } from "./block-order.js";
import type { BlockRange, ListPlace } from "./position.js";
import type { RecordStream } from "./source.js";
import { addOmitted, type ItemsPage, type OpenList } from "./streams.js";

/** The number of pages in a part. The pages of the oldest two parts are held. */
export const PART_PAGES = 50;

/**
 * Reads a list in parts. For parts that are not held, only their start places are stored, and they are read again. A part ends with
 * a whole block, because added records shift the pages. After a failure, the list continues from such a place.
 */
export class ReversedList<Item extends ListedItem> implements RecordStream<Item> {
  /** The start places of the parts that were not returned yet, newest first. Resume tokens contain this array. */
  readonly start: ListPlace[];
  readonly isReversed = true;
  readonly reasons: readonly string[] = [];
  omitted: Omitted = sumOmitted();
  readonly #open: OpenList<Item>;
  readonly #bounds: Promise<BlockRange>;
  /** The held pages, newest first. */
  #pages: Item[][] = [];
  /** The first block that is neither held nor returned. */
  #next: number | undefined;

  constructor(open: OpenList<Item>, bounds: Promise<BlockRange>, start: readonly ListPlace[] = []) {
    this.#open = open;
    this.#bounds = bounds;
    this.start = [...start];
  }

  async next(): Promise<readonly Item[] | null> {
    const range = await this.#bounds;
    this.#next ??= range.from;
    while (this.#pages.length === 0) {
      if (this.#next > range.to) return null;
      this.#next = await this.#readParts(this.#next, range);
    }
    return (this.#pages.pop() as Item[]).reverse();
  }

  /** Reads the oldest parts from block `first` on. Returns the first block after them. */
  async #readParts(first: number, { from, to }: BlockRange): Promise<number> {
    const places = this.start;
    while (getLastBlock(places) <= first) places.pop();
    let resume = places.at(-1)?.[0];
    let last = getLastBlock(places);
    let end = last;
    let pages: ItemsPage<Item>[] = [];
    /** The number of pages before the last place. */
    let placed = 0;
    const checkOrder = createOrderCheck(last);
    const addPlace = () => resume !== undefined && last > first && last < getLastBlock(places) && places.push([resume, last]) > 0;
    try {
      for await (const page of this.#open({ resume, prefetch: 0 }).pages()) {
        last = checkOrder(page.items);
        resume = page.resumeToken ?? undefined;
        pages.push(page);
        if (last < first) break;
        if (last > to) {
          // All pages so far are newer than the history, except records after the last one.
          this.omitted = addOmitted(this.omitted, page, { from, to });
          places.length = placed = 0;
          pages = [];
          addPlace();
        } else if (pages.length >= placed + PART_PAGES && addPlace()) {
          pages.splice(0, placed);
          placed = pages.length;
          end = places.at(-2)?.[1] ?? end;
        }
      }
    } catch (error) {
      addPlace();
      throw error;
    }
    // The previously returned part has the rest of this page. For other pages, all omissions are counted here.
    const cut = last < first && first > from ? pages.at(-1) : undefined;
    this.#pages = pages.map((page) => {
      const blocks = { from: page === cut ? first : from, to: Math.min(to, end - 1) };
      this.omitted = addOmitted(this.omitted, page, blocks, page !== cut);
      return page.items.filter(({ block_number, height }) => {
        // A record whose block is not known is reported separately.
        const block = block_number ?? height ?? first;
        return block >= first && block < end;
      });
    });
    return end;
  }
}

/** Returns the block of the last place. */
function getLastBlock(places: readonly ListPlace[]): number {
  return places.at(-1)?.[1] ?? Number.POSITIVE_INFINITY;
}
