// How a kind of record is shown in a table.
import type { CsvColumn, CsvPreset, CsvTemplate, TemplateActivity } from "address-query/history";
import type { CellContext } from "./context.js";

/** Columns of a CSV file, or for a history the name of a preset, or a template for its activities. */
export type CsvColumns<Row> = readonly CsvColumn<Row>[] | CsvPreset | CsvTemplate<TemplateActivity>;

export interface Column<Row> {
  title: string;
  /** `xs` for a number of few digits to `xl` for two lines with names. */
  width: "xs" | "s" | "m" | "l" | "xl";
  /** Numbers are aligned at the end of their cell. */
  align?: "end";
  cell: (row: Row, context: CellContext) => unknown;
}

/** Everything about a kind of record that tables show. Declared once per kind, in `src/records`. */
export interface RecordKind<Row> {
  /** The name of a row, in the singular: `transaction`. */
  noun: string;
  columns: readonly Column<Row>[];
  /** Shown below an expanded row. */
  details?: (row: Row, context: CellContext) => unknown;
  /** The columns of CSV files to choose from, by their labels. Without them, records are exported as JSON only. */
  csv?: Readonly<Record<string, CsvColumns<Row>>>;
}

/** The same kind of record without some columns, for lists in which all rows have the same value there. */
export const withoutColumns = <Row>(kind: RecordKind<Row>, ...titles: readonly string[]): RecordKind<Row> => ({
  ...kind,
  columns: kind.columns.filter(({ title }) => !titles.includes(title)),
});
