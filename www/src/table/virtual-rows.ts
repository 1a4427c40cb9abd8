// A long list with only the rows in view in the document.
import { type VirtualItem, type Virtualizer, WindowVirtualizerController, windowScroll } from "@tanstack/lit-virtual";
import type { LitElement, ReactiveController } from "lit";
import { afterFrame } from "../scheduling/next-task.js";
import { getScrollTop } from "../components/scroll-top.js";
import { moveWindow, type RowWindow } from "./row-window.js";

/** Rows beyond the visible ones that are rendered as well. */
const OVERSCAN = 4;
const NO_ROWS: RowWindow = { start: 0, end: 0 };

export interface RowOptions {
  /** Returns the expected height of a row, in pixels. */
  estimateHeight: (index: number) => number;
  /** Returns the distance of the first row from the top of the window, in pixels. The browser has computed the layout. */
  getTop: () => number;
  /** Called when the page is resized, before `getTop`. */
  onResize?: () => void;
  /** Returns how many rows are added in one frame. More would delay input. */
  getMaxAdded: () => number;
}

/** The rows to render, and the heights in pixels of the rows before and after them. */
export interface RenderedRows {
  items: readonly VirtualItem[];
  before: number;
  after: number;
}

/** Renders the rows of its host that are in view, a few in each frame. The element of a row has its index in `data-index`. */
export class VirtualRows implements ReactiveController {
  private readonly virtual: WindowVirtualizerController<Element>;
  /** The rows in the document. */
  private shown = NO_ROWS;
  /** Whether rows are missing that should be in the document, and whether the current frame has added its rows. */
  private isPartial = false;
  private isFull = false;
  /** The rows start below the header of the page, whose height changes while its parts are read, and the names of the columns. */
  private readonly pageSize = new ResizeObserver(() => this.place());
  /**
   * A frame that scrolls adds no rows, because doing both would delay input. In the capture phase, this runs before the
   * virtualizer, which updates the host.
   */
  private readonly onScroll = () => {
    if (!this.isFull) void this.waitForFrame();
  };

  constructor(
    private readonly host: LitElement,
    private readonly options: RowOptions,
  ) {
    this.virtual = new WindowVirtualizerController(host, {
      count: 0,
      estimateSize: options.estimateHeight,
      initialOffset: getScrollTop,
      initialRect: { width: innerWidth, height: innerHeight },
      measureElement: measureRow,
      overscan: OVERSCAN,
      // A new list does not scroll the window.
      scrollToFn: (top, scrollOptions, virtualizer) => scrollOptions.adjustments && windowScroll(top, scrollOptions, virtualizer),
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.pageSize.observe(document.body);
    addEventListener("scroll", this.onScroll, { capture: true, passive: true });
  }

  hostDisconnected(): void {
    this.pageSize.disconnect();
    removeEventListener("scroll", this.onScroll, { capture: true });
  }

  /** For the `ref` of a row: its height replaces the expected one. */
  readonly measure = (row: Element | undefined): void => {
    if (row) this.virtual.getVirtualizer().measureElement(row);
  };

  /** Sets the number of rows. With keys, a row keeps its height when its index changes. */
  update(count: number, getItemKey?: (index: number) => string): void {
    const virtualizer = this.virtual.getVirtualizer();
    const { options } = virtualizer;
    const isChanged = options.count !== count || (getItemKey && options.getItemKey !== getItemKey);
    if (isChanged) virtualizer.setOptions({ ...options, count, ...(getItemKey ? { getItemKey } : {}) });
  }

  /** Forgets all heights, because the expected ones have changed. */
  reset(): void {
    this.virtual.getVirtualizer().measure();
  }

  /** Returns the rows to render now. Further ones follow in the next frames. */
  take(): RenderedRows {
    const virtualizer = this.virtual.getVirtualizer();
    const wanted = virtualizer.getVirtualItems();
    const first = wanted[0]?.index ?? 0;
    const limit = this.isFull ? 0 : this.options.getMaxAdded();
    const firstInView = virtualizer.range?.startIndex ?? first;
    this.shown = moveWindow(this.shown, { start: first, end: first + wanted.length }, firstInView, limit);
    const { start, end } = this.shown;
    this.isPartial = end - start < wanted.length;
    if (!this.isFull && wanted.length > 0) void this.waitForFrame();
    const items = wanted.slice(start - first, end - first);
    const margin = virtualizer.options.scrollMargin;
    const before = (items[0]?.start ?? margin) - margin;
    return { items, before, after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin) };
  }

  private place(): void {
    this.options.onResize?.();
    const virtualizer = this.virtual.getVirtualizer();
    const scrollMargin = Math.round(this.options.getTop() + scrollY);
    if (Math.abs(virtualizer.options.scrollMargin - scrollMargin) <= 1) return;
    virtualizer.setOptions({ ...virtualizer.options, scrollMargin });
    this.host.requestUpdate();
  }

  private async waitForFrame(): Promise<void> {
    this.isFull = true;
    await afterFrame();
    this.isFull = false;
    // An update would make a list that was removed from the page scroll the window.
    if (this.isPartial && this.host.isConnected) this.host.requestUpdate();
  }
}

/** For the `ref` of a spacer. A script sets its height, because the page allows no style attributes. */
export const setHeight = (height: number) => (element: Element | undefined) => {
  if (element instanceof HTMLElement) element.style.height = `${height}px`;
};

/** Returns the height that the browser has observed. Reading the height of a new row would force a layout for each row. */
function measureRow(
  row: Element,
  entry: ResizeObserverEntry | undefined,
  { itemSizeCache, options }: Virtualizer<Window, Element>,
): number {
  const index = Number(row.getAttribute("data-index"));
  return Math.round(
    entry?.borderBoxSize[0]?.blockSize ?? itemSizeCache.get(options.getItemKey(index)) ?? options.estimateSize(index),
  );
}
