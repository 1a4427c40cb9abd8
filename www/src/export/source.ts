// What an export needs to know about the records that it writes.
import type { EstimatedCall } from "address-query/estimate";
import type { TemplateActivity } from "address-query/history";
import type { CsvColumns } from "../table/columns.js";

/** Some records, and where to continue after them. */
export interface ExportPage<Row> {
  items: readonly Row[];
  /** The activities of a history, for templates. */
  activities?: readonly TemplateActivity[];
  /** Null at the end. */
  resumeToken: string | null;
}

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
  /** Reads all records, or the records after a resume token. */
  pages: (resume: string | null, signal: AbortSignal) => AsyncIterable<ExportPage<Row>>;
  /** Creates a call that reads all records, for the estimate of what the export needs. */
  createCall?: () => EstimatedCall | undefined;
  /** What remains of the plan of the API key. Null: not known. */
  remainingCredits?: () => number | null;
}
