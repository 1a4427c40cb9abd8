// The search for the approvals of an address. The overview and the approvals tab share it.
import { type AddressClient, isAddressQueryError } from "address-query";
import type { Approvals, ApprovalsProgress } from "address-query/approvals";

/** Enough time to load the code of another tab. */
const RELEASE_MS = 2000;

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
  /** Number of elements that show it. */
  #users = 0;

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

  retain(onChange: () => void): void {
    this.addEventListener("change", onChange);
    this.#users += 1;
  }

  /** Cancels a search that no element shows, unless another tab shows it soon. */
  release(onChange: () => void): void {
    this.removeEventListener("change", onChange);
    this.#users -= 1;
    setTimeout(() => {
      if (this.#users === 0) this.cancel();
    }, RELEASE_MS);
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
