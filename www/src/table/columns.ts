// How a kind of record is shown in a table.
import type { Route } from "../route/route.js";
import type { Coin } from "../service/service.js";
import type { CsvColumns } from "../export/source.js";

/** What cells need to know beyond their record. */
export interface CellContext {
  route: Route;
  coin: Coin;
  /** Null: not known. */
  chainId: number | null;
  /** Whether times are shown as ages ("3 min. ago") or as dates. */
  times: "relative" | "absolute";
}

export interface Column<Row> {
  title: string;
  /** `xs` for a number of few digits to `xl` for two lines with names. */
  width: "xs" | "s" | "m" | "l" | "xl";
  /** Numbers are aligned at the end of their cell. */
  align?: "end";
  cell: (row: Row, context: CellContext) => unknown;
  /** Name of the order by this column, for tables that the reader can sort. */
  sort?: string;
}

/** The order of a table that the reader can sort. */
export interface SortState {
  /** `sort` of the column. */
  column: string;
  isDescending: boolean;
}

/** Everything about a kind of record that tables show. Declared once per kind, in `src/records`. */
export interface RecordKind<Row> {
  /** What a row is, in the singular: `transaction`. */
  noun: string;
  columns: readonly Column<Row>[];
  /** Shown below a row that the reader expands. */
  details?: (row: Row, context: CellContext) => unknown;
  /** The columns of CSV files to choose from, by their labels. Without them, records are exported as JSON only. */
  csv?: Readonly<Record<string, CsvColumns<Row>>>;
}
