// What an export needs to know about the records that it writes.
import type { ExportCall } from "address-query/store";
import type { CsvColumns } from "../table/columns.js";

/** Exports that start with a click. */
export interface ExportShortcuts<Row> {
  title: string;
  format: string;
  choices: readonly { label: string; source: ExportSource<Row>; show: () => void }[];
}

export interface ExportSource<Row> {
  /** Identifies the records, also after a reload, to find unfinished exports. */
  key: string;
  /** Name of the file, without its extension. */
  name: string;
  noun: string;
  /** CSV files to choose from, by their labels. NDJSON has all fields and needs no columns. */
  csv: Readonly<Record<string, CsvColumns<Row>>>;
  /** Creates a call that reads all records: for some columns, or for NDJSON and the estimate of what the export needs. */
  createCall: (columns?: CsvColumns<Row>) => ExportCall<object>;
  /** Whether the number of records can be estimated. */
  isEstimated: boolean;
  /** What remains of the plan of the API key. Null: not known. */
  remainingCredits?: () => number | null;
}
