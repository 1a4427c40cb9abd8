// What a page is that shows one thing other than an address: a transaction, a token or a block.
import type { AddressClient } from "address-query";
import type { IconNode } from "lucide";
import type { CellContext, TabContext } from "../table/context.js";
import type { Tab } from "../tabs/tab.js";
import type { FactGroup } from "../facts/fact-group.js";

/** A tab of a list, and of which things it is. Its methods are declared as such, for the reason that `SubjectPage` gives. */
export interface ListOf<Value> {
  tab: Tab;
  /** Whether a thing can have such records. Default: each. */
  isOf?(value: Value): boolean;
}

/** The methods are declared as such, so that a list can hold the pages of different values. */
export interface SubjectPage<Value> {
  /** As in the URL. */
  id: string;
  /** What it shows, in the singular. */
  label: string;
  icon: IconNode;
  /** Whether `id` can name one. Otherwise nothing is requested. */
  isValid(id: string): boolean;
  /** What to enter. */
  hint: string;
  read(client: AddressClient, id: string): PromiseLike<Value>;
  /** Untrusted. Default: the label. */
  title?(value: Value): string;
  /** What it is, in one line. */
  badges(value: Value, cells: CellContext): unknown;
  /** The most important figure, and what is beside it. */
  figure(value: Value, cells: CellContext): readonly [main: unknown, beside: unknown];
  /** The first tab. */
  facts(value: Value, cells: CellContext): readonly FactGroup[];
  /** Above the facts. It is read on its own. */
  lead?(value: Value, context: TabContext): unknown;
  /** The other tabs. */
  lists: readonly ListOf<Value>[];
}
