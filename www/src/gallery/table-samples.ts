// A table in its states: rows, an order, and open details.
import { html } from "lit";
import { cleanText } from "../format/text.js";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import "../table/record-table.js";
import type { Section } from "./foundations.js";

interface Sample {
  name: string;
  direction: "in" | "out";
  value: string;
}

const ROWS: readonly Sample[] = [
  { name: "Wrapped Sample Ether", direction: "in", value: "5096826000000000000" },
  { name: "A token whose name is much longer than the column that it has", direction: "out", value: "-20038068060000000000" },
  { name: "Reversed\u202ename", direction: "in", value: "1" },
];

const samples: RecordKind<Sample> = {
  noun: "sample",
  columns: [
    { title: "Token", width: "xl", sort: "token", cell: ({ name }) => cells.text(name, "name") },
    {
      title: "Direction",
      width: "s",
      cell: ({ direction }) => (direction === "in" ? cells.badge("IN", "good") : cells.badge("OUT", "out")),
    },
    {
      title: "Amount",
      width: "m",
      align: "end",
      sort: "amount",
      cell: ({ value }, context) => cells.coins(value, context, true),
    },
  ],
  details: ({ name }) => cells.definitions([["Name", cleanText(name)]]),
};

export const table: Section = {
  id: "table",
  title: "Table",
  render: ({ cells: context }) => html`<aq-record-table .kind=${samples} .rows=${ROWS} .context=${context} label="Samples"
    .total=${ROWS.length} .sort=${{ column: "token", isDescending: true }}></aq-record-table>`,
};
