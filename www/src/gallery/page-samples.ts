// Samples of page parts: facts, source code and charts.
import { html } from "lit";
import { bars } from "../charts/bars.js";
import { line } from "../charts/line.js";
import "../contract/contract.css";
import "../contract/source-view.js";
import { factGroup } from "../facts/fact-group.js";
import { share, worth } from "../facts/values.js";
import * as cells from "../table/cells.js";
import type { Section } from "./foundations.js";

const SOURCES = [
  {
    path: "contracts/Sample.sol",
    code: '// A sample.\npragma solidity ^0.8.24;\n\ncontract Sample {\n  string name = "Sample";\n  uint256 total = 21_000;\n}',
  },
  { path: "contracts/Other.sol", code: "contract Other {}" },
];

export const pageParts: Section = {
  id: "page-parts",
  title: "Facts and source code",
  render: ({ cells: context }) =>
    html`<div class="fact-groups">${factGroup({
      title: "Fee and gas",
      facts: [
        ["Result", cells.badge("Success", "good")],
        ["Fee", worth("829000000000000", "2650", context)],
        ["Gas used", share("357537", "510767")],
        ["Block", cells.block(18_000_000, context)],
        ["Call data", cells.text(`0x${"b6f9de95".repeat(12)}`, "mono")],
      ],
    })}<section class="card"><aq-source-view .sources=${SOURCES}></aq-source-view></section></div>`,
};

const DAYS = [12, 18, 9, 30, 24].map((value, day) => ({
  time: day * 86_400_000,
  value,
  date: `Day ${day + 1}`,
  text: `${value} ETH`,
}));
const MONTHS = [3, 8, 5].map((value, month) => ({
  label: `${month + 1}`,
  name: `Month ${month + 1}`,
  incoming: value,
  outgoing: 9 - value,
  texts: [`${value} ETH`, `${9 - value} ETH`] as const,
}));

export const charts: Section = {
  id: "charts",
  title: "Charts",
  render: () => html`${line("Balance by day", DAYS, ["Day", "Balance"])}${bars("Ether by month", MONTHS)}`,
};
