// Connections: lists with pages, as Relay defines them. As in the service, cursors count the records before them.

import type { RowList } from "../ledger/rows.js";
import { type Arguments, type Field, type ObjectType, QueryError } from "./execute.js";

const CURSOR_PREFIX = "arrayconnection:";

interface Edge {
  readonly node: unknown;
  readonly index: number;
}

interface Connection {
  readonly edges: readonly Edge[];
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

const createCursor = (index: number) => btoa(CURSOR_PREFIX + index);

/** Parses a cursor. Returns the number of the record that it points to. */
function parseCursor(cursor: unknown): number {
  const index = /^[\w+/]+=*$/.test(String(cursor)) ? atob(String(cursor)).slice(CURSOR_PREFIX.length) : "";
  if (!/^\d+$/.test(index)) throw new QueryError("Invalid cursor provided as `after` or `before` argument");
  return Number(index);
}

function selectEdges(rows: RowList<unknown>, { first, last, after, before, count = rows.length }: Arguments): Connection {
  let start = after === undefined ? 0 : parseCursor(after) + 1;
  let end = Math.min(rows.length, Number(before === undefined ? count : parseCursor(before)));
  if (first !== undefined) end = Math.min(end, start + Number(first));
  else if (last !== undefined) start = Math.max(start, end - Number(last));
  else throw new QueryError("You must either supply `:first` or `:last`");
  const length = Math.max(end - start, 0);
  const edges = Array.from({ length }, (_, i) => ({ node: rows.at(start + i), index: start + i }));
  return { edges, start, end, length: rows.length };
}

const pageInfo: ObjectType = {
  name: "PageInfo",
  fields: {
    hasNextPage: { resolve: ({ end, length }: Connection) => end < length },
    hasPreviousPage: { resolve: ({ start }: Connection) => start > 0 },
    startCursor: { resolve: ({ edges, start }: Connection) => (edges.length > 0 ? createCursor(start) : null) },
    endCursor: { resolve: ({ edges, end }: Connection) => (edges.length > 0 ? createCursor(end - 1) : null) },
  },
};

/** Creates a field that is a connection to the rows of its source. `parameters` are further arguments. */
export function createConnection<Source>(
  nodeType: ObjectType,
  getRows: (source: Source, values: Arguments) => RowList<unknown>,
  parameters: readonly string[] = [],
): Field {
  const edge: ObjectType = {
    name: `${nodeType.name}Edge`,
    fields: {
      node: { type: nodeType, resolve: ({ node }: Edge) => node },
      cursor: { resolve: ({ index }: Edge) => createCursor(index) },
    },
  };
  return {
    parameters: ["first", "last", "after", "before", "count", ...parameters],
    type: {
      name: `${nodeType.name}Connection`,
      fields: {
        edges: { type: edge, resolve: ({ edges }: Connection) => edges },
        pageInfo: { type: pageInfo, resolve: (connection: Connection) => connection },
      },
    },
    multiply: ({ first, last }) => Number(first ?? last ?? 0),
    resolve: (source: Source, values) => selectEdges(getRows(source, values), values),
  };
}
