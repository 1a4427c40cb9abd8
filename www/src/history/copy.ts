// The stored copy of a history: the newest activities of an address, which are shown at once when it is opened again.
import { type AddressClient, isAddressQueryError } from "address-query";
import { type Activity, activities, withValues } from "address-query/history";
import { sync } from "address-query/store";
import { continueInMemory, openStore } from "../service/store.js";

const MAX_ACTIVITIES = 2000;

export interface HistoryCopy {
  /** Newest first, without a gap. */
  activities: Activity[];
  /** Whether these are all. */
  isComplete: boolean;
  /** When the newest block was read, in ISO 8601. */
  readAt: string;
}

/** Reads the copy: without the network, unless it `hasPrices`. Null: nothing is stored. */
export async function readCopy(client: AddressClient, address_hash: string, hasPrices = false): Promise<HistoryCopy | null> {
  const { store } = await openStore();
  const stored = activities(store.history(client, { address_hash }));
  const call = hasPrices ? withValues(client, stored) : stored;
  const found = await call.more(MAX_ACTIVITIES);
  const { report } = call;
  if (!report?.read_at) return null;
  // The last block before a gap may have more events.
  const last = report.unread[0]?.to ?? -1;
  const isComplete = last < 0 && found.length < MAX_ACTIVITIES;
  return { activities: found.filter(({ block_number }) => block_number > last), isComplete, readAt: report.read_at };
}

/**
 * Brings the copy up to date, and adds at least `older` events if there are some. A new one begins with the newest events, because a whole
 * history can take thousands of requests.
 */
export async function syncCopy(client: AddressClient, address_hash: string, older = 0): Promise<void> {
  const { store, isPersistent } = await openStore();
  const controller = new AbortController();
  const onProgress = ({ events }: { events: number }) => {
    if (events >= older) controller.abort();
  };
  try {
    const { behind } = await sync(client, store, { address_hash, signal: controller.signal, onProgress });
    // The sample chain has lost the blocks that were added to it before a reload.
    if (!behind || !client.source.baseUrl?.endsWith(".invalid")) return;
    await store.forget(address_hash, client);
  } catch (error) {
    if (controller.signal.aborted) return;
    if (!isPersistent || !isAddressQueryError(error) || error.code !== "storage") throw error;
    continueInMemory();
  }
  await syncCopy(client, address_hash, older);
}

/** For `readShared`: the parts of the page share a sync. */
export const updateCopy = (client: AddressClient, address_hash: string): Promise<void> => syncCopy(client, address_hash);
