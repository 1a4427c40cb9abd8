// What the page keeps in the browser's database: copies of histories, and exports that are not finished.
import { createStore, memoryDatabase, type Store } from "address-query/store";

interface PageStore {
  store: Store;
  /** Whether it outlives the page. A browser may deny access to its storage, or its storage may not work. */
  isPersistent: boolean;
}

async function open(): Promise<PageStore> {
  const store = createStore({ name: "address-query-demo" });
  try {
    await store.database.get("");
    return { store, isPersistent: true };
  } catch {
    return openMemory();
  }
}

const openMemory = (): PageStore => ({ store: createStore({ database: memoryDatabase() }), isPersistent: false });

let opening: Promise<PageStore> | null = null;

export function openStore(): Promise<PageStore> {
  opening ??= open();
  return opening;
}

/** Continues without the browser's storage, which has failed. */
export function continueInMemory(): void {
  opening = Promise.resolve(openMemory());
}
