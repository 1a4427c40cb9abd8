// Reads a history page by page, like the other lists.
import type { AddressClient, Page } from "address-query";
import {
  type Activity,
  activities,
  type HistoryEvent,
  type HistoryParams,
  type HistoryReport,
  history,
  type MergedHistoryReport,
  mergeHistories,
  type ValuedCall,
  withValues,
} from "address-query/history";
import { toClients } from "../accounts/accounts.js";
import { isAddress } from "../format/text.js";
import { readShared } from "../address/shared-reading.js";
import type { ReadOptions } from "../lists/list.js";
import { whenIdle } from "../scheduling/when-idle.js";
import { storedNote } from "./stored-note.js";

const PAGE_SIZE = 50;
/** A suspended history holds the pages of its lists, so only the newest few are kept. */
const MAX_SUSPENDED = 4;

type Call = ValuedCall<Activity, HistoryReport | MergedHistoryReport | null>;

/**
 * A page of a history: events, and the activities that they belong to, none of which a page splits. Its call knows how completely the
 * lists were read, and `omitted` covers all pages so far.
 */
export type EventPage = Page<HistoryEvent, null, { call: Call; activities: readonly Activity[] }>;

/** A history that stopped after a page. */
interface Suspended {
  call: Call;
  controller: AbortController;
}

/** Suspended histories by their resume tokens, which contain the address and the filters. */
const suspended = new WeakMap<AddressClient, Map<string, Suspended>>();

type EventParams = Omit<HistoryParams, "address_hash">;

/**
 * Reads the events of an address, or of several accounts in one order of time, after `resume`. Continues the history that returned the
 * token, or starts another one at that point.
 */
export async function readEventPage(
  client: AddressClient,
  subject: string,
  params: EventParams,
  { resume, signal }: ReadOptions,
): Promise<EventPage> {
  signal?.throwIfAborted();
  const reading = take(client, resume) ?? start(client, subject, params, resume);
  const { call, controller } = reading;
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    const read: Activity[] = [];
    const items: HistoryEvent[] = [];
    let isEnd = false;
    while (items.length < PAGE_SIZE && !isEnd) {
      const [activity] = await call.more(1);
      if (activity) read.push(activity);
      items.push(...(activity?.events ?? []));
      isEnd = activity === undefined;
    }
    const { report, resumeToken } = call;
    const omitted = report?.omitted ?? { count: 0, first: [] };
    const isNewest = resume === undefined && isAddress(subject) && Object.keys(params).length === 0;
    // Events that cost credits are not read twice.
    if (isNewest && client.credits.remaining === null) whenIdle(() => void store(client, subject));
    if (!isEnd && resumeToken !== null) keep(client, resumeToken, reading);
    return { items, activities: read, next_page_params: null, omitted, call, resumeToken: isEnd ? null : resumeToken };
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function start(client: AddressClient, subject: string, filters: EventParams, resume: string | undefined): Suspended {
  const controller = new AbortController();
  return { call: openActivities(client, subject, { ...filters, resume, signal: controller.signal }), controller };
}

/** Returns the events that an earlier visit has stored. */
export async function readStoredPage(client: AddressClient, address_hash: string) {
  const copy = isAddress(address_hash) && (await (await import("./copy.js")).readCopy(client, address_hash));
  if (!copy) return null;
  const { activities, readAt } = copy;
  const renderNote = (error: unknown, retry: () => void) => storedNote(readAt, error, retry);
  return { items: activities.flatMap(({ events }) => events), activities, renderNote };
}

/** Stores the newest events for the next visit. */
async function store(client: AddressClient, address_hash: string): Promise<void> {
  const { updateCopy } = await import("./copy.js");
  // A failure is shown when the events are read.
  await readShared(client, address_hash, updateCopy).catch(() => {});
}

/** Opens the history of an address, or of several accounts. */
export const openEvents = (client: AddressClient, subject: string, params: EventParams) =>
  isAddress(subject)
    ? history(client, { ...params, address_hash: subject })
    : mergeHistories(toClients(subject), { ...params, ownTransfers: "once" });

/** Opens it as activities with their values. */
export function openActivities(client: AddressClient, subject: string, params: EventParams): Call {
  const clients = isAddress(subject) ? [client] : toClients(subject).map((account) => account.client);
  return withValues([...new Set(clients)], activities(openEvents(client, subject, params)));
}

function take(client: AddressClient, resume: string | undefined): Suspended | null {
  const reading = (resume && suspended.get(client)?.get(resume)) || null;
  if (resume) suspended.get(client)?.delete(resume);
  return reading;
}

function keep(client: AddressClient, token: string, reading: Suspended): void {
  const readings = suspended.get(client) ?? new Map<string, Suspended>();
  suspended.set(client, readings.set(token, reading));
  for (const [oldest, { controller }] of readings) {
    if (readings.size <= MAX_SUSPENDED) break;
    readings.delete(oldest);
    controller.abort();
  }
}
