// The messages between a page of the guide and the frame that runs an example.

/** The service and the address that an example reads. */
export interface ExampleSource {
  /** Null: the sample service. */
  chainId: number | null;
  /** Key of the gateway. Empty: none, so that the public instance of the chain is read. */
  apiKey: string;
  /** The address that examples read on a chain. */
  address: string;
}

/** The page's response to `ready`. */
export interface Example {
  code: string;
  language: string;
  source: ExampleSource;
}

/** What the example shows or logs, or the error that ended it. */
export interface Output {
  kind: "output";
  text: string;
  isError: boolean;
}

/** A request of the example. */
export interface RequestReport {
  kind: "request";
  method: string;
  url: string;
  /** Null: no response. */
  status: number | null;
  bytes: number;
  ms: number;
}

/** The messages of the frame. `rendered`: the frame shows something. */
export type Report = { kind: "ready" } | { kind: "rendered" } | Output | RequestReport | { kind: "end"; ms: number };
