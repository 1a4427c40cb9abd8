// Reads a list page by page, on demand.
import type { Page } from "address-query";

export type ListStatus = "idle" | "reading" | "complete" | "failed" | "cancelled";

/** Reads the page after a resume token, or the first page. */
export type ReadPage<Row> = (options: { resume?: string; signal: AbortSignal }) => PromiseLike<Page<Row, unknown>>;

export interface ReadPageResult<Row> {
  rows: readonly Row[];
  /** Continues the list at this page. Null for the first page. */
  resume: string | null;
  /** The page as the client returned it, including the members other than its rows. */
  page: Page<Row, unknown>;
}

/** A page that was stored. */
export interface StoredPage<Row> {
  items: readonly Row[];
  /** Says how old it is. `error`: why the first page could not be read. Null: it is being read. */
  renderNote: (error: unknown, retry: () => void) => unknown;
}

/** The position of the user in a list. */
export interface ListPosition {
  pages: number;
  scrollTop: number;
}

const TOP: ListPosition = { pages: 0, scrollTop: 0 };

/** Dispatches `change` after each change of its state. */
export class ListReader<Row> extends EventTarget {
  readonly pages: ReadPageResult<Row>[] = [];
  /** The rows of all pages. */
  rows: readonly Row[] = [];
  /** A page of an earlier visit, whose rows are shown until the first page is read. */
  stored: StoredPage<Row> | null = null;
  status: ListStatus = "idle";
  error: unknown = null;
  /** Where the window was scrolled to when the list was left. */
  scrollTop: number;
  readonly #readPage: ReadPage<Row>;
  #resume: string | null;
  /** Number of pages to read again after the page was reloaded. */
  #savedPages: number;
  #controller: AbortController | null = null;
  /** The read in flight, or the last one. */
  #reading: Promise<void> = Promise.resolve();

  constructor(readPage: ReadPage<Row>, resume: string | null = null, saved: ListPosition = TOP) {
    super();
    this.#readPage = readPage;
    this.#resume = resume;
    this.#savedPages = saved.pages;
    this.scrollTop = saved.scrollTop;
  }

  get position(): ListPosition {
    return { pages: Math.max(this.pages.length, this.#savedPages), scrollTop: this.scrollTop };
  }

  /** The token of the next page. Null at the end, and before the first page. */
  get nextResume(): string | null {
    return this.status === "complete" ? null : this.#resume;
  }

  /**
   * Reads the next page, unless the list is complete. After an error, reads the failed page again. If a page is being read,
   * waits for it.
   */
  readNext(): Promise<void> {
    if (this.status !== "reading" && this.status !== "complete") this.#reading = this.#readPageAfter(this.#resume);
    return this.#reading;
  }

  /** Shows a page of an earlier visit, unless a page was read meanwhile. */
  showStored(page: StoredPage<Row> | null): void {
    if (page === null || this.pages.length > 0) return;
    this.stored = page;
    this.rows = page.items;
    this.dispatchEvent(new Event("change"));
  }

  /** Reads the pages of the saved position. */
  async restore(): Promise<void> {
    while (this.pages.length < this.#savedPages && (this.status === "idle" || this.status === "reading")) await this.readNext();
    this.#savedPages = 0;
  }

  async #readPageAfter(resume: string | null): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.#change("reading", null);
    try {
      const page = await this.#readPage({ ...(resume === null ? {} : { resume }), signal: controller.signal });
      this.pages.push({ rows: page.items, resume, page });
      this.rows = this.stored ? page.items : [...this.rows, ...page.items];
      this.stored = null;
      this.#resume = page.resumeToken;
      this.#change(page.resumeToken === null ? "complete" : "idle", null);
    } catch (error) {
      if (controller.signal.aborted) this.#change("cancelled", null);
      else this.#change("failed", error);
    }
  }

  /** Cancels the request in flight. `readNext` sends it again. */
  cancel(): void {
    this.#controller?.abort();
  }

  #change(status: ListStatus, error: unknown): void {
    this.status = status;
    this.error = error;
    this.dispatchEvent(new Event("change"));
  }
}
