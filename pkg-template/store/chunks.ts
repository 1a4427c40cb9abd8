// The stored form of events: chunks of up to a hundred events, newest first, as JSON that is compressed to a tenth.
import type { HistoryEvent } from "../history/index.js";
import { createStorageError } from "./storage-error.js";

/** The maximum number of events of a chunk. */
const CHUNK_EVENTS = 100;

/** The place of an event: its block, and its position in the block. */
export type EventPlace = Pick<HistoryEvent, "block_number" | "position">;

/** Formats a place as a string whose order is the order of the chain. */
export function formatPlace({ block_number, position }: EventPlace): string {
  return `${String(block_number).padStart(16, "0")}.${String(position).padStart(8, "0")}`;
}

/** A place before all events of a block. */
export const startOf = (block: number): string => formatPlace({ block_number: block, position: 0 });

/** Encodes events, which are newest first. The place of the first event of each chunk follows the prefix in its key. */
export async function encodeChunks(prefix: string, events: readonly HistoryEvent[]): Promise<[key: string, value: Chunk][]> {
  const chunks: [string, Chunk][] = [];
  for (let start = 0; start < events.length; start += CHUNK_EVENTS) {
    const chunk = events.slice(start, start + CHUNK_EVENTS);
    chunks.push([prefix + formatPlace(chunk[0] as HistoryEvent), await compress(JSON.stringify(pack(chunk)))]);
  }
  return chunks;
}

/** JSON if the runtime cannot compress. */
type Chunk = Uint8Array<ArrayBuffer> | string;

/** Decodes the events of a chunk. Equal parts of their records are the same object. */
export async function decodeChunk(value: unknown): Promise<HistoryEvent[]> {
  try {
    return unpack(typeof value === "string" ? JSON.parse(value) : await decompress(value as Uint8Array<ArrayBuffer>));
  } catch (error) {
    throw createStorageError("unavailable", error);
  }
}

export function getBytes(value: unknown): number {
  return (value as Chunk).length;
}

/** Events in which the assets, and objects in records, are indices of `parts`, where they occur once. */
interface Packed {
  parts: unknown[];
  /** The event, and the index of the names of its record's members that are indices. */
  rows: [event: { asset: unknown; record: Record<string, unknown> }, names: number][];
}

/** Most records repeat their tokens and addresses. Without the repetitions, they are parsed twice as fast. */
function pack(events: readonly HistoryEvent[]): Packed {
  const indices = new Map<string, number>();
  const parts: unknown[] = [];
  const add = (part: unknown): number => {
    const json = JSON.stringify(part);
    const index = indices.get(json) ?? parts.push(part) - 1;
    indices.set(json, index);
    return index;
  };
  const rows = events.map((event): Packed["rows"][0] => {
    const record: Record<string, unknown> = { ...event.record };
    const names = Object.keys(record).filter((name) => typeof record[name] === "object" && record[name] !== null);
    for (const name of names) record[name] = add(record[name]);
    return [{ ...event, asset: add(event.asset), record }, add(names)];
  });
  return { parts, rows };
}

function unpack({ parts, rows }: Packed): HistoryEvent[] {
  return rows.map(([event, names]) => {
    event.asset = parts[event.asset as number];
    for (const name of parts[names] as string[]) event.record[name] = parts[event.record[name] as number];
    return event as unknown as HistoryEvent;
  });
}

async function compress(json: string): Promise<Chunk> {
  if (typeof CompressionStream === "undefined") return json;
  return new Uint8Array(await pipe(json, new CompressionStream("deflate-raw")).arrayBuffer());
}

function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<Packed> {
  return pipe(bytes, new DecompressionStream("deflate-raw")).json();
}

/** The body of a response is faster than a `Blob`, which another process of the browser holds. */
function pipe(data: BodyInit, transform: CompressionStream | DecompressionStream): Response {
  return new Response((new Response(data).body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(transform));
}
