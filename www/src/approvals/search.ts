// The search for the approvals of an address.
import { type AddressClient, isAddressQueryError } from "address-query";
import type { Approvals, ApprovalsProgress } from "address-query/approvals";

/** Dispatches `change` after each change of its state. */
export class ApprovalsSearch extends EventTarget {
  status: "idle" | "reading" | "complete" | "failed" = "idle";
  result: Approvals | null = null;
  error: unknown = null;
  progress: ApprovalsProgress | null = null;
  readonly address: string;
  readonly #client: AddressClient;
  #controller = new AbortController();
  /** Continues the last call that failed. */
  #resume: string | undefined;

  constructor(client: AddressClient, address: string) {
    super();
    this.#client = client;
    this.address = address;
  }

  /** Searches, or continues a search that failed. */
  async start(): Promise<void> {
    if (this.status === "reading") return;
    const controller = new AbortController();
    const { signal } = controller;
    this.#controller = controller;
    this.#change({ status: "reading" });
    try {
      const { approvals } = await import("address-query/approvals");
      const onProgress = (progress: ApprovalsProgress) => this.#change({ status: "reading", progress });
      const options = { address_hash: this.address, current: true, resume: this.#resume, onProgress, signal };
      this.#resume = undefined;
      const result = await approvals(this.#client, options);
      if (!signal.aborted) this.#change({ status: "complete", result });
    } catch (error) {
      if (signal.aborted) return;
      if (isAddressQueryError(error)) this.#resume = error.resumeToken;
      this.#change({ status: "failed", error });
    }
  }

  cancel(): void {
    if (this.status !== "reading") return;
    this.#controller.abort();
    this.#change({ status: "idle" });
  }

  #change(state: Pick<ApprovalsSearch, "status"> & Partial<Pick<ApprovalsSearch, "result" | "error" | "progress">>): void {
    Object.assign(this, { result: null, error: null, progress: null }, state);
    this.dispatchEvent(new Event("change"));
  }
}

const searches = new WeakMap<AddressClient, ApprovalsSearch>();

/** Returns the last search if it is for this address, otherwise a new one, which waits for a click. */
export function getSearch(client: AddressClient, address: string): ApprovalsSearch {
  const known = searches.get(client);
  if (known?.address === address) return known;
  known?.cancel();
  const search = new ApprovalsSearch(client, address);
  searches.set(client, search);
  return search;
}
