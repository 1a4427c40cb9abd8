// The stored form of events: chunks of up to fifty events, newest first. The records of a list need the time, so each is decoded when it is
// first read.
import type { HistoryEvent } from "../history/index.js";
import { createStorageError } from "./storage-error.js";

/** The maximum number of events of a chunk. */
export const CHUNK_EVENTS = 50;

/** The place of an event: its block, and its position in the block. */
export type EventPlace = Pick<HistoryEvent, "block_number" | "position">;

/** Formats a place as a string whose order is the order of the chain. */
export function formatPlace({ block_number, position }: EventPlace): string {
  return `${String(block_number).padStart(16, "0")}.${String(position).padStart(8, "0")}`;
}

/** A place before all events of a block. */
export const startOf = (block: number): string => formatPlace({ block_number: block, position: 0 });

/** JSON: the events without their records, the templates of the records, and each record. */
type Chunk = [events: string, templates: string, ...records: string[]];

type Members = { [name: string]: unknown };

/** Encodes events, which are newest first. The place of the first event of each chunk follows the prefix in its key. */
export function encodeChunks(prefix: string, events: readonly HistoryEvent[]): [key: string, value: Chunk][] {
  const chunks: [string, Chunk][] = [];
  for (let start = 0; start < events.length; start += CHUNK_EVENTS) {
    const chunk = events.slice(start, start + CHUNK_EVENTS);
    chunks.push([prefix + formatPlace(chunk[0] as HistoryEvent), encodeChunk(chunk)]);
  }
  return chunks;
}

/** Most members of a record are as in the first one with the same names. Only the others are stored. */
function encodeChunk(events: readonly HistoryEvent[]): Chunk {
  const templates = new Map<string, [index: number, record: unknown]>();
  const records = events.map(({ record }) => {
    const names = formatNames(record);
    const [index, template] = templates.get(names) ?? [templates.size, record];
    templates.set(names, [index, template]);
    return JSON.stringify([index, subtract(record, template)]);
  });
  const rest = events.map(({ record, ...event }) => event);
  return [JSON.stringify(rest), JSON.stringify([...templates.values()].map(([, record]) => record)), ...records];
}

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

const formatNames = (value: object) => JSON.stringify(Object.keys(value));

/** Returns the members of an object that differ from a template with the same names, an array with another value, or a primitive value. */
function subtract(value: unknown, template: unknown): unknown {
  if (!isObject(value)) return value;
  const isSimilar = isObject(template) && ![value, template].some(Array.isArray) && formatNames(value) === formatNames(template);
  if (!isSimilar) return [value];
  const isChanged = ([name, member]: [string, unknown]) =>
    member !== template[name] && JSON.stringify(member) !== JSON.stringify(template[name]);
  const changed = Object.entries(value).filter(isChanged);
  return Object.fromEntries(changed.map(([name, member]) => [name, subtract(member, template[name])]));
}

/** Reverts `subtract`. */
function add(changes: unknown, template: unknown): unknown {
  if (!isObject(changes)) return changes;
  if (Array.isArray(changes)) return changes[0];
  const value = { ...(template as Members) };
  for (const [name, change] of Object.entries(changes)) value[name] = add(change, value[name]);
  return value;
}

/** The function that returns the record of an event. It is not enumerable, and a proxy of the event finds it, too. */
const GET = Symbol("record");

/** The member `record` of all events. Accessors that differ would make each event an object of another shape, which is slow. */
const RECORD: PropertyDescriptor & ThisType<{ [GET]: () => unknown }> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[GET]();
  },
  set(value) {
    Object.defineProperty(this, "record", { value, enumerable: true, configurable: true, writable: true });
  },
};

/** Decodes the events of a chunk. Equal parts of their records are the same object. */
export function decodeChunk(value: unknown): HistoryEvent[] {
  try {
    const [events, templates, ...records] = value as Chunk;
    const getTemplates = defer((): unknown[] => JSON.parse(templates));
    const getRecords = records.map((json) =>
      defer(() => {
        const [index, changes] = JSON.parse(json);
        return add(changes, getTemplates()[index]);
      }),
    );
    return (JSON.parse(events) as HistoryEvent[]).map((event, index) => {
      Object.defineProperty(event, GET, { value: getRecords[index] });
      return Object.defineProperty(event, "record", RECORD);
    });
  } catch (error) {
    throw createStorageError("unavailable", error);
  }
}

/** Returns a function that creates a value when it is first called. */
function defer<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/** Returns the length of a chunk. */
export function getBytes(value: unknown): number {
  return (value as Chunk).reduce((sum, { length }) => sum + length, 0);
}
