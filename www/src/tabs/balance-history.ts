// The tab of the balance history: a chart beside its table.
import { html } from "lit";
import { coinBalanceChanges } from "../records/coin-balance-change.js";
import { listTab } from "./tab.js";

/** The units of the chart other than the default, the balance by day. */
const UNITS = ["block", "worth"] as const;

export const balanceHistoryTab = listTab({
  id: "balance-history",
  label: "Balance history",
  records: coinBalanceChanges,
  filters: [
    {
      name: "chart",
      label: "Chart",
      options: [
        ["", "By day"],
        ["block", "By block"],
        ["worth", "In dollars"],
      ],
      toParameters: () => ({}),
    },
  ],
  read: (client, address_hash, _filters, options) => client.addressCoinBalanceHistory({ address_hash }, options),
  load: () => import("../charts/balance-chart.js"),
  aside: ({ service, route, cells }) =>
    html`<aq-balance-chart .client=${service.client} .address=${route.address} .coin=${cells.coin}
      .unit=${UNITS.find((unit) => unit === route.filters["chart"]) ?? "day"}></aq-balance-chart>`,
});
