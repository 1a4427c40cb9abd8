import type { ListOptions } from "./options.js";

/** The plan of a list or range: to estimate it, or to derive a key or a label. */
export interface CallPlan {
  /** The `AddressClient` that the method belongs to. */
  readonly client: object;
  /** The path of a list, with the names of its parameters in braces, or the name of an action. */
  readonly operation: string;
  /** The parameters as they were passed. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The options as they were passed, without `signal`. */
  readonly options: Readonly<Pick<ListOptions, "resume" | "concurrency" | "pageSize" | "order" | "fromBlock" | "toBlock">>;
}
