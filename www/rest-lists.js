// The tabs of the REST API section: one declaration per list. To add a list, add an entry to `restLists`.
//
// A tab has:
//   clientMethod      the method of AddressClient that reads a page
//   requiresAddress   whether the list belongs to one address
//   filters           `kind` is "checkboxes" (an array of values), "select" (options are [value, label] pairs)
//                     or "text" (with `isValid` and `hint`);
//                     `toParameters` converts a value to request parameters; the default is `{ [name]: value }`
//   columns           `render(row, context)` returns a DOM node; `context` is { address, hasFilters, getHref(address) }
//   getNote           optional: returns a line to show above the table
import { el } from "./dom.js";
import { isAddress, isHash, sanitizeText, shortenHash } from "./format.js";
import {
  renderAddress,
  renderAge,
  renderAmount,
  renderBadge,
  renderDirection,
  renderExternalLink,
  renderHash,
  renderImage,
  renderJson,
  renderNativeAmount,
  renderNumber,
  renderPlaceholder,
  renderText,
  renderToken,
  renderTokenId,
  renderTransferAmount,
} from "./table-cells.js";

const TOKEN_TYPES = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"];
const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"];
const MAX_ATTRIBUTES_SHOWN = 4;
const MAX_TAGS_SHOWN = 3;
/** `meta.status` of a page whose internal transactions are not all indexed yet. */
const STATUS_PROCESSING = 2;

const tokenTypeFilter = (options) => ({ name: "type", kind: "checkboxes", label: "Token type", options });
const directionFilter = {
  name: "filter",
  kind: "select",
  label: "Direction",
  options: [
    ["", "All"],
    ["from", "Outgoing"],
    ["to", "Incoming"],
  ],
};

const ageColumn = (field) => ({ title: "Age", render: (row) => renderAge(row[field]) });
const hashColumn = { title: "Transaction", render: (row) => renderHash(row.transaction_hash, "transaction hash") };
const blockColumn = { title: "Block", render: (row) => renderNumber(row.block_number) };
const fromColumn = { title: "From", render: (row, context) => renderAddress(row.from, context) };
const toColumn = { title: "To", render: (row, context) => renderAddress(row.to, context) };
const directionColumn = {
  title: "Direction",
  render: ({ from, to }, { address }) => renderDirection(from?.hash, to?.hash, address),
};

const TRANSFER_TYPE_LABELS = { token_minting: "mint", token_burning: "burn", token_spawning: "creation" };
const methodColumn = {
  title: "Method",
  render: ({ type, method }) => {
    const isPlainTransfer = !type || type === "token_transfer";
    const typeBadge = isPlainTransfer ? null : renderBadge(TRANSFER_TYPE_LABELS[type] ?? type, "accent");
    const methodBadge = method ? renderBadge(method) : null;
    if (!typeBadge && !methodBadge) return el("span", { class: "stack" }, renderBadge("transfer"));
    return el("span", { class: "stack" }, typeBadge, methodBadge);
  },
};
const callTypeColumn = {
  title: "Type",
  render: ({ type, success, error }) => {
    const hasFailed = success === false || error;
    const failureBadge = hasFailed ? renderBadge(error ?? "Failed", "bad") : null;
    return el("span", { class: "stack" }, renderBadge(type ?? "call"), failureBadge);
  },
};
const tokenColumn = { title: "Token", render: (row, context) => renderToken(row.token, context) };
const amountColumn = { title: "Amount", align: "end", render: renderTransferAmount };

function renderLogEvent({ decoded, topics }) {
  if (!decoded?.method_call) return topics[0] ? renderHash(topics[0], "topic") : renderPlaceholder("No topics");
  const [name] = decoded.method_call.split("(");
  return el("span", { class: "event", title: sanitizeText(decoded.method_call) }, renderText(name, "name"));
}

/** Renders the decoded parameters of a log, its topics and its data in a collapsed `details` element. */
function renderLogData({ decoded, topics, data }) {
  const parameters = decoded?.parameters ?? [];
  const renderField = (label, node) => el("div", {}, el("dt", {}, renderText(label)), el("dd", {}, node));
  return el(
    "details",
    {},
    el("summary", {}, summarizeParameters(parameters)),
    el(
      "dl",
      { class: "parameters" },
      parameters.map((parameter) => renderField(describeParameter(parameter), renderJson(parameter.value))),
      topics.map((topic, position) => (topic ? renderField(`topic ${position}`, renderHash(topic, "topic")) : null)),
      renderField("data", data && data !== "0x" ? renderHash(data, "data") : renderPlaceholder("Empty")),
    ),
  );
}

function summarizeParameters({ length }) {
  if (length === 0) return "Raw data";
  return length === 1 ? "1 parameter" : `${length} parameters`;
}

function describeParameter({ name, type, "indexed?": isIndexed }) {
  return `${name || "(no name)"}: ${type ?? "unknown type"}${isIndexed ? " indexed" : ""}`;
}

const isObject = (value) => value !== null && typeof value === "object";

function renderNftAttributes({ metadata }) {
  const attributes = Array.isArray(metadata?.attributes) ? metadata.attributes : [];
  const badges = attributes
    .filter((item) => isObject(item) && item.value !== null && typeof item.value !== "object")
    .map(({ trait_type, value }) => renderBadge(typeof trait_type === "string" ? `${trait_type}: ${value}` : value));
  if (badges.length === 0) return renderPlaceholder();
  const hiddenCount = badges.length - MAX_ATTRIBUTES_SHOWN;
  const more = hiddenCount > 0 ? el("span", { class: "placeholder" }, `+${hiddenCount}`) : null;
  return el("span", { class: "inline-row wrap" }, badges.slice(0, MAX_ATTRIBUTES_SHOWN), more);
}

function renderNftName({ id, token, metadata }) {
  const name = typeof metadata?.name === "string" && metadata.name ? metadata.name : (token?.name ?? "Unnamed item");
  const firstLine = el("span", { class: "inline-row" }, renderText(name, "name"));
  return el("span", { class: "address" }, firstLine, renderTokenId(id));
}

function renderNftImage({ id, thumbnails, image_url, media_url }) {
  return renderImage([thumbnails?.["250x250"], image_url, media_url], `Image of item ${shortenHash(id, 8, 4)}`);
}

function renderNftLink({ external_app_url, animation_url }) {
  return renderExternalLink(external_app_url, "Website") ?? renderExternalLink(animation_url, "Media") ?? renderPlaceholder();
}

function renderTags({ metadata, public_tags }) {
  const names = [...(metadata?.tags ?? []).map((tag) => tag.name), ...(public_tags ?? []).map((tag) => tag.display_name)].filter(
    Boolean,
  );
  if (names.length === 0) return renderPlaceholder();
  const badges = names.slice(0, MAX_TAGS_SHOWN).map((name) => renderBadge(name));
  return el("span", { class: "inline-row wrap" }, badges);
}

export const restLists = [
  {
    id: "token-transfers",
    label: "Token transfers",
    clientMethod: "addressTokenTransfers",
    requiresAddress: true,
    filters: [
      tokenTypeFilter(TOKEN_TYPES),
      directionFilter,
      { name: "token", kind: "text", label: "Token contract", hint: "0x followed by 40 hex digits", isValid: isAddress },
    ],
    columns: [ageColumn("timestamp"), hashColumn, methodColumn, directionColumn, fromColumn, toColumn, tokenColumn, amountColumn],
  },
  {
    id: "internal-transactions",
    label: "Internal transactions",
    clientMethod: "addressInternalTransactions",
    requiresAddress: true,
    filters: [directionFilter],
    columns: [
      ageColumn("timestamp"),
      blockColumn,
      hashColumn,
      callTypeColumn,
      directionColumn,
      fromColumn,
      { title: "To", render: (row, context) => renderAddress(row.to ?? row.created_contract, context) },
      { title: "Value", align: "end", render: (row) => renderNativeAmount(row.value) },
      { title: "Gas limit", align: "end", render: (row) => renderNumber(row.gas_limit) },
    ],
    getNote: (page) =>
      page.meta?.status === STATUS_PROCESSING
        ? "Some internal transactions are still being processed, so this list may be incomplete."
        : null,
  },
  {
    id: "logs",
    label: "Logs",
    clientMethod: "addressLogs",
    requiresAddress: true,
    filters: [{ name: "topic", kind: "text", label: "Topic", hint: "0x followed by 64 hex digits", isValid: isHash }],
    columns: [
      blockColumn,
      hashColumn,
      { title: "Index", render: (row) => renderNumber(row.index) },
      { title: "Contract", render: (row, context) => renderAddress(row.address_hash, context) },
      { title: "Event", render: renderLogEvent },
      { title: "Data", render: renderLogData },
    ],
  },
  {
    id: "nfts",
    label: "NFTs",
    clientMethod: "addressNft",
    requiresAddress: true,
    filters: [tokenTypeFilter(NFT_TYPES)],
    columns: [
      { title: "Image", render: renderNftImage },
      { title: "Item", render: renderNftName },
      { ...tokenColumn, title: "Collection" },
      { title: "Quantity", align: "end", render: (row) => renderAmount(row.value ?? "1", row.token?.decimals ?? 0) },
      { title: "Attributes", render: renderNftAttributes },
      { title: "Link", render: renderNftLink },
    ],
  },
  {
    id: "balance-history",
    label: "Balance history",
    clientMethod: "addressCoinBalanceHistory",
    requiresAddress: true,
    filters: [],
    columns: [
      ageColumn("block_timestamp"),
      blockColumn,
      hashColumn,
      { title: "Change", align: "end", render: (row) => renderNativeAmount(row.delta, { hasSign: true }) },
      { title: "Balance", align: "end", render: (row) => renderNativeAmount(row.value) },
    ],
  },
  {
    id: "withdrawals",
    label: "Withdrawals",
    clientMethod: "addressWithdrawals",
    requiresAddress: true,
    filters: [],
    columns: [
      ageColumn("timestamp"),
      blockColumn,
      { title: "Index", render: (row) => renderNumber(row.index) },
      { title: "Validator", render: (row) => renderNumber(row.validator_index) },
      { title: "Receiver", render: (row, context) => renderAddress(row.receiver, context) },
      { title: "Amount", align: "end", render: (row) => renderNativeAmount(row.amount) },
    ],
  },
  {
    id: "all-token-transfers",
    label: "All token transfers",
    clientMethod: "tokenTransfers",
    requiresAddress: false,
    filters: [tokenTypeFilter(TOKEN_TYPES)],
    columns: [ageColumn("timestamp"), hashColumn, methodColumn, fromColumn, toColumn, tokenColumn, amountColumn],
  },
  {
    id: "all-addresses",
    label: "All addresses",
    clientMethod: "addresses",
    requiresAddress: false,
    filters: [
      {
        name: "sort",
        kind: "select",
        label: "Sort by",
        options: [
          ["", "Balance, highest first"],
          ["balance-asc", "Balance, lowest first"],
          ["transactions_count-desc", "Transactions, most first"],
          ["transactions_count-asc", "Transactions, fewest first"],
        ],
        // The service ignores `sort` and `order` unless both are present.
        toParameters: (value) => {
          const [sort, order] = value.split("-");
          return { sort, order };
        },
      },
    ],
    columns: [
      { title: "Address", render: renderAddress },
      {
        title: "Type",
        render: (row) => (row.is_contract ? renderBadge("Contract", "accent") : renderBadge("EOA")),
      },
      { title: "Tags", render: renderTags },
      { title: "Transactions", align: "end", render: (row) => renderNumber(row.transactions_count || null) },
      { title: "Balance", align: "end", render: (row) => renderNativeAmount(row.coin_balance) },
    ],
    getNote: (page) => (page.exchange_rate ? `Native coin price: ${sanitizeText(page.exchange_rate, 40)}` : null),
  },
];

/** Converts the address and the filter values of a tab to the parameters of its client method. */
export function toParameters(tab, address, filters) {
  const filterParameters = tab.filters
    .filter(({ name }) => filters[name]?.length > 0)
    .map(({ name, toParameters }) => (toParameters ? toParameters(filters[name]) : { [name]: filters[name] }));
  return Object.assign(tab.requiresAddress ? { address_hash: address } : {}, ...filterParameters);
}
