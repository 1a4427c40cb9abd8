import type { DecodedParameter, Log } from "address-query";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { blockColumn, transactionColumn } from "./common.js";

const describe = ({ name, type, "indexed?": indexed }: DecodedParameter) =>
  `${name || "(no name)"}: ${type ?? "unknown type"}${indexed ? " indexed" : ""}`;

const eventName = ({ decoded, topics }: Log) => {
  if (decoded?.method_call) return cells.text(decoded.method_call.split("(")[0], "name");
  return topics[0] ? cells.hash(topics[0], "topic") : cells.none("No topics");
};

export const logs: RecordKind<Log> = {
  noun: "log",
  csv: {
    CSV: [
      "block_timestamp",
      "block_number",
      "transaction_hash",
      "index",
      "address_hash.hash",
      "decoded.method_call",
      { name: "topics", value: ({ topics }) => topics.join(" ") },
      "data",
    ],
  },
  columns: [
    { title: "Time", width: "s", cell: (row, context) => cells.time(row.block_timestamp, context) },
    blockColumn,
    transactionColumn,
    { title: "Index", width: "xs", align: "end", cell: (row) => cells.integer(row.index) },
    { title: "Contract", width: "l", cell: (row, context) => cells.address(row.address_hash, context) },
    { title: "Event", width: "l", cell: eventName },
    {
      title: "Parameters",
      width: "xl",
      cell: ({ decoded }) =>
        decoded ? cells.text(decoded.parameters.map(({ name }) => name || "(no name)").join(", ")) : cells.none("Not decoded"),
    },
  ],
  details: (row) =>
    cells.definitions([
      ...(row.decoded?.method_call ? [["Event", cells.text(row.decoded.method_call, "mono")] as const] : []),
      ...(row.decoded?.parameters ?? []).map((parameter) => [describe(parameter), cells.json(parameter.value)] as const),
      ...row.topics.flatMap((topic, position) => (topic ? [[`Topic ${position}`, cells.text(topic, "mono")] as const] : [])),
      ["Data", row.data === "0x" ? cells.none("Empty") : cells.text(row.data, "mono")],
    ]),
};
