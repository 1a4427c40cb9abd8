// The parameters of a range, from the filters in the URL: type, order and blocks.
import { exportMenu } from "../export/index.js";
import { toHref } from "../route/route.js";
import type { Filter } from "../lists/filters.js";
import type { TabContext } from "../table/context.js";
import { RECORD_TYPES, type RangeMethod, type RangeParams, type RangeRow, type RecordType } from "./account-records.js";
import type { Bounds } from "./range-progress.js";

const MAX_BLOCK = 2 ** 31 - 1;
const PREVIEW_ROWS = 25;

const blockFilter = (name: string, label: string): Filter => ({
  name,
  label,
  hint: "A block number",
  isValid: (value) => /^\d{1,10}$/.test(value) && Number(value) <= MAX_BLOCK,
});

export const rangeFilters: readonly Filter[] = [
  { name: "type", label: "Type", options: Object.entries(RECORD_TYPES).map(([id, { label }]) => [id, label] as const) },
  {
    name: "order",
    label: "Order",
    options: [
      ["", "Newest first"],
      ["asc", "Oldest first"],
    ],
  },
  blockFilter("from-block", "From block"),
  blockFilter("to-block", "To block"),
];

export interface RangeQuery {
  key: string;
  type: RecordType;
  method: RangeMethod;
  params: RangeParams;
}

export function createQuery({ service, route }: TabContext): RangeQuery {
  const { filters, address } = route;
  const type = RECORD_TYPES[filters["type"] ?? ""] ?? (RECORD_TYPES[""] as RecordType);
  return {
    key: toHref(route),
    type,
    method: type.method(service.client),
    params: {
      address,
      sort: filters["order"] === "asc" ? "asc" : "desc",
      ...(filters["from-block"] ? { startblock: Number(filters["from-block"]) } : {}),
      ...(filters["to-block"] ? { endblock: Number(filters["to-block"]) } : {}),
    },
  };
}

export interface Preview {
  rows: readonly RangeRow[];
  /** Whether the rows are all records of the range. */
  hasAll: boolean;
  /** Null: there are no records. */
  bounds: Bounds | null;
  /** A message of the service that it has not processed all blocks yet, so there may be more records. */
  message: string | null;
}

/** Reads both ends of the range: the first rows, and the blocks of the oldest and the newest record. */
export async function readPreview({ method, params }: RangeQuery, signal: AbortSignal): Promise<Preview> {
  // `offset` is the service's name for the page size.
  const readFirst = (sort: "asc" | "desc", offset: number) => method({ ...params, sort, page: 1, offset }, { signal });
  const [preview, farEnd] = await Promise.all([
    readFirst(params.sort, PREVIEW_ROWS),
    readFirst(params.sort === "asc" ? "desc" : "asc", 1),
  ]);
  const blocks = [...preview.items, ...farEnd.items].map(({ blockNumber }) => Number(blockNumber));
  const bounds = blocks.length === 0 ? null : { first: Math.min(...blocks), last: Math.max(...blocks) };
  return { rows: preview.items, hasAll: preview.items.length < PREVIEW_ROWS, bounds, message: preview.message };
}

/** The export of all records of the range. It reads the range again. */
export const rangeExport = ({ key, type, method, params }: RangeQuery) =>
  exportMenu<RangeRow>({
    key,
    name: `${type.label.toLowerCase().replaceAll(" ", "-")}-${params.address.slice(0, 10)}`,
    noun: type.kind.noun,
    csv: type.kind.csv ?? {},
    createCall: () => method.all(params, {}),
    pages: async function* (resume, signal) {
      const range = method.all(params, { signal, resume: resume ?? undefined });
      let resumeToken = resume;
      for await (const items of range.windows()) {
        resumeToken = range.resumeToken;
        yield { items, resumeToken };
      }
      if (resumeToken !== null || range.report === null) yield { items: [], resumeToken: null };
    },
  });
