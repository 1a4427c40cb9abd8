// Declares a page about one subject other than an address: a transaction, a token or a block.
import type { AddressClient } from "address-query";
import type { IconNode } from "lucide";
import type { CellContext, TabContext } from "../table/context.js";
import type { Tab } from "../tabs/tab.js";
import type { FactGroup } from "../facts/fact-group.js";

/**
 * The tab of a list, and the subjects that have it. Declares methods, not properties, for the reason that `SubjectPage`
 * gives.
 */
export interface ListOf<Value> {
  tab: Tab;
  /** Whether a subject can have such records. Default: every subject. */
  isOf?(value: Value): boolean;
}

/** The members are methods, not properties with functions, so that one array can hold the pages of different values. */
export interface SubjectPage<Value> {
  /** The id in the URL. */
  id: string;
  /** The name of the subject, in the singular. */
  label: string;
  icon: IconNode;
  /** Whether `id` can name a subject. If not, nothing is requested. */
  isValid(id: string): boolean;
  /** Describes valid input. */
  hint: string;
  read(client: AddressClient, id: string): PromiseLike<Value>;
  /** Untrusted. Default: the label. */
  title?(value: Value): string;
  /** What the subject is, in one line. */
  badges(value: Value, cells: CellContext): unknown;
  /** The most important figure, and the text beside it. */
  figure(value: Value, cells: CellContext): readonly [main: unknown, beside: unknown];
  /** The first tab. */
  facts(value: Value, cells: CellContext): readonly FactGroup[];
  /** Content above the facts, which is read independently. */
  lead?(value: Value, context: TabContext): unknown;
  /** The other tabs. */
  lists: readonly ListOf<Value>[];
}
