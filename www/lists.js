// The eight lists, each declared once: tab, client method, filters, columns, notes. A ninth list is one more entry.
//
// filters: `kind` "several" (a set of labels), "one" ([value, label] choices) or "text" (with `valid` and `hint`);
//          `params` says how a value becomes parameters where that is not `{[name]: value}`.
// columns: `cell(row, context)` gives a node; context is { address, hrefOf(address) }.
import * as cells from "./cells.js";
import { el } from "./dom.js";
import { isAddress, isHash, shortHash, visibleText } from "./format.js";

const TOKEN_TYPES = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"];
const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"];

const tokenType = (options) => ({ name: "type", kind: "several", label: "Token type", options });
const direction = {
  name: "filter",
  kind: "one",
  label: "Direction",
  options: [
    ["", "Sent and received"],
    ["from", "Sent"],
    ["to", "Received"],
  ],
};

const transaction = { title: "Transaction", cell: (row) => cells.hash(row.transaction_hash, "transaction hash") };
const block = { title: "Block", cell: (row) => cells.number(row.block_number) };
const timeOf = (member) => ({ title: "Age", cell: (row) => cells.time(row[member]) });
const from = { title: "From", cell: (row, context) => cells.address(row.from, context) };
const to = { title: "To", cell: (row, context) => cells.address(row.to, context) };

const way = {
  title: "In/out",
  cell: ({ from, to }, { address }) => cells.way(from?.hash, to?.hash, address),
};

const KINDS = { token_transfer: "transfer", token_minting: "mint", token_burning: "burn", token_spawning: "creation" };
const method = {
  title: "Method",
  cell: (row) => {
    const kind = row.type && row.type !== "token_transfer" ? cells.badge(KINDS[row.type] ?? row.type, "accent") : null;
    const name = row.method ? cells.badge(row.method) : null;
    return el("span", { class: "stack" }, kind ?? name ?? cells.badge("transfer"), kind && name);
  },
};
const token = { title: "Token", cell: (row, context) => cells.token(row.token, context) };
const total = { title: "Amount", align: "end", cell: cells.transferTotal };

function logEvent({ decoded, topics }) {
  if (!decoded?.method_call) return topics[0] ? cells.hash(topics[0], "topic") : cells.none("no topics");
  const [name] = decoded.method_call.split("(");
  return el("span", { class: "event", title: visibleText(decoded.method_call) }, cells.text(name, "name"));
}

function logDetails({ decoded, topics, data }) {
  const parameters = decoded?.parameters ?? [];
  const row = (label, node) => el("div", {}, el("dt", {}, cells.text(label)), el("dd", {}, node));
  return el(
    "details",
    {},
    el(
      "summary",
      {},
      parameters.length === 0
        ? "Raw data"
        : parameters.length === 1
          ? "1 parameter"
          : `${parameters.length} parameters`,
    ),
    el(
      "dl",
      { class: "parameters" },
      parameters.map((p) =>
        row(
          `${p.name || "(no name)"}: ${p.type ?? "unknown type"}${p["indexed?"] ? " indexed" : ""}`,
          cells.json(p.value),
        ),
      ),
      topics.map((topic, position) => (topic ? row(`topic ${position}`, cells.hash(topic, "topic")) : null)),
      row("data", data && data !== "0x" ? cells.hash(data, "data") : cells.none("empty")),
    ),
  );
}

function nftAttributes({ metadata }) {
  const attributes = Array.isArray(metadata?.attributes) ? metadata.attributes : [];
  const chips = attributes
    .filter((a) => a !== null && typeof a === "object" && a.value !== null && typeof a.value !== "object")
    .map((a) => cells.badge(typeof a.trait_type === "string" ? `${a.trait_type}: ${a.value}` : a.value));
  if (chips.length === 0) return cells.none();
  const more = chips.length > 4 ? el("span", { class: "none" }, `+${chips.length - 4}`) : null;
  return el("span", { class: "line wrapping" }, chips.slice(0, 4), more);
}

function nftName({ id, token, metadata }) {
  const name = typeof metadata?.name === "string" && metadata.name ? metadata.name : (token?.name ?? "Unnamed item");
  return el("span", { class: "address" }, el("span", { class: "line" }, cells.text(name, "name")), cells.tokenId(id));
}

const nftPicture = (nft) =>
  cells.picture(
    [nft.thumbnails?.["250x250"], nft.image_url, nft.media_url],
    `Picture of item ${shortHash(nft.id, 8, 4)}`,
  );

function tags({ metadata, public_tags }) {
  const names = [
    ...(metadata?.tags ?? []).map((tag) => tag.name),
    ...(public_tags ?? []).map((tag) => tag.display_name),
  ];
  const shown = names.filter(Boolean).slice(0, 3);
  return shown.length
    ? el(
        "span",
        { class: "line wrapping" },
        shown.map((name) => cells.badge(name)),
      )
    : cells.none();
}

export const lists = [
  {
    id: "token-transfers",
    label: "Token transfers",
    method: "addressTokenTransfers",
    needsAddress: true,
    filters: [
      tokenType(TOKEN_TYPES),
      direction,
      { name: "token", kind: "text", label: "Token contract", hint: "0x and 40 hex digits", valid: isAddress },
    ],
    columns: [timeOf("timestamp"), transaction, method, way, from, to, token, total],
  },
  {
    id: "internal-transactions",
    label: "Internal transactions",
    method: "addressInternalTransactions",
    needsAddress: true,
    filters: [direction],
    columns: [
      timeOf("timestamp"),
      block,
      transaction,
      {
        title: "Call",
        cell: (row) => {
          const failed = row.success === false || row.error;
          return el(
            "span",
            { class: "stack" },
            cells.badge(row.type ?? "call"),
            failed ? cells.badge(row.error ?? "failed", "bad") : null,
          );
        },
      },
      way,
      from,
      { title: "To", cell: (row, context) => cells.address(row.to ?? row.created_contract, context) },
      { title: "Value", align: "end", cell: (row) => cells.native(row.value) },
      { title: "Gas limit", align: "end", cell: (row) => cells.number(row.gas_limit) },
    ],
    note: (page) =>
      page.meta?.status === 2 ? "The service is still processing some of these: the list may be incomplete." : null,
  },
  {
    id: "logs",
    label: "Logs",
    method: "addressLogs",
    needsAddress: true,
    filters: [
      { name: "topic", kind: "text", label: "Topic", hint: "0x and 64 hex digits, in any position", valid: isHash },
    ],
    columns: [
      block,
      transaction,
      { title: "Index", cell: (row) => cells.number(row.index) },
      { title: "Emitter", cell: (row, context) => cells.address(row.address_hash, context) },
      { title: "Event", cell: logEvent },
      { title: "Content", cell: logDetails },
    ],
  },
  {
    id: "nfts",
    label: "NFTs",
    method: "addressNft",
    needsAddress: true,
    filters: [tokenType(NFT_TYPES)],
    columns: [
      { title: "Picture", cell: nftPicture },
      { title: "Item", cell: nftName },
      token,
      { title: "Held", align: "end", cell: (row) => cells.amount(row.value ?? "1", row.token?.decimals ?? 0) },
      { title: "Attributes", cell: nftAttributes },
      {
        title: "Link",
        cell: (row) =>
          cells.link(row.external_app_url, "Website") ?? cells.link(row.animation_url, "Media") ?? cells.none(),
      },
    ],
  },
  {
    id: "balance-history",
    label: "Balance history",
    method: "addressCoinBalanceHistory",
    needsAddress: true,
    filters: [],
    columns: [
      timeOf("block_timestamp"),
      block,
      transaction,
      { title: "Change", align: "end", cell: (row) => cells.native(row.delta, { signed: true }) },
      { title: "Balance", align: "end", cell: (row) => cells.native(row.value) },
    ],
  },
  {
    id: "withdrawals",
    label: "Withdrawals",
    method: "addressWithdrawals",
    needsAddress: true,
    filters: [],
    columns: [
      timeOf("timestamp"),
      block,
      { title: "Index", cell: (row) => cells.number(row.index) },
      { title: "Validator", cell: (row) => cells.number(row.validator_index) },
      { title: "Receiver", cell: (row, context) => cells.address(row.receiver, context) },
      { title: "Amount", align: "end", cell: (row) => cells.native(row.amount) },
    ],
  },
  {
    id: "all-token-transfers",
    label: "All token transfers",
    method: "tokenTransfers",
    needsAddress: false,
    filters: [tokenType(TOKEN_TYPES)],
    columns: [timeOf("timestamp"), transaction, method, from, to, token, total],
  },
  {
    id: "all-addresses",
    label: "All addresses",
    method: "addresses",
    needsAddress: false,
    filters: [
      {
        name: "sort",
        kind: "one",
        label: "Order",
        options: [
          ["", "Balance, highest first"],
          ["balance-asc", "Balance, lowest first"],
          ["transactions_count-desc", "Transactions, most first"],
          ["transactions_count-asc", "Transactions, fewest first"],
        ],
        // The service heeds sort and order only together.
        params: (value) => {
          const [sort, order] = value.split("-");
          return { sort, order };
        },
      },
    ],
    columns: [
      { title: "Address", cell: (row, context) => cells.address(row, context) },
      {
        title: "Kind",
        cell: (row) => cells.badge(row.is_contract ? "contract" : "account", row.is_contract ? "accent" : "plain"),
      },
      { title: "Tags", cell: tags },
      { title: "Transactions", align: "end", cell: (row) => cells.number(row.transactions_count || null) },
      { title: "Balance", align: "end", cell: (row) => cells.native(row.coin_balance) },
    ],
    note: (page) => (page.exchange_rate ? `Price of the native coin: ${visibleText(page.exchange_rate, 40)}` : null),
  },
];

/** The parameters object of the client's method for what is chosen on the page. */
export function parametersOf(list, address, filters) {
  const chosen = list.filters
    .filter(({ name }) => filters[name]?.length > 0)
    .map(({ name, params }) => (params ? params(filters[name]) : { [name]: filters[name] }));
  return Object.assign(list.needsAddress ? { address_hash: address } : {}, ...chosen);
}
