// The response bodies to measure, created by the sample service for backend version 11.
import { createSampleService } from "../../pkg/testing/index.js";

const service = createSampleService({ backendVersion: 11 });
const findAddress = (label) => service.addresses.find((sample) => sample.label === label).hash;
/** The sample service sends pictures as data URLs, so that pages show them without a network. Real services send links. */
const links = new Map();
function toLink(picture) {
  if (!links.has(picture)) links.set(picture, `"https://pictures.example/${String(links.size).padStart(40, "0")}.svg"`);
  return links.get(picture);
}
const linkPictures = (json) => json.replace(/"data:image\/[^"]*"/g, toLink);

const request = async (path) => JSON.parse(linkPictures(await (await service.fetch(path)).text()));

/** Creates a page of the first 50 items of a list that match. */
async function createPage(path, isMatch = () => true) {
  const items = [];
  let cursor = {};
  while (items.length < 50) {
    if (cursor === null) throw new Error(`${path} has only ${items.length} matching items`);
    const page = await request(`/api/v2${path}?${new URLSearchParams(cursor)}`);
    items.push(...page.items.filter(isMatch));
    cursor = page.next_page_params;
  }
  return { items: items.slice(0, 50), next_page_params: cursor };
}

/** Adds non-ASCII characters where they are common: in the names of tokens and addresses. */
function addNonAscii(page) {
  const copy = structuredClone(page);
  for (const { token, from, to } of copy.items) {
    token.name &&= `${token.name} 封装代币`;
    token.symbol &&= `${token.symbol}Ξ`;
    for (const address of [from, to]) address.name &&= `Größe — ${address.name} 🦊`;
  }
  return copy;
}

/** Reverses the order of the members of every object, so that it is the order of no backend version. */
function reverseMembers(value) {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

let transactionList;

/** Creates a `txlist` response with this many rows, at most 10,000. */
export async function createTransactionList(count) {
  transactionList ??= await request(
    `/api?module=account&action=txlist&address=${findAddress("Exchange hot wallet")}&page=1&offset=10000`,
  );
  return { ...transactionList, result: transactionList.result.slice(0, count) };
}

/** Creates all payloads: `[{ name, operation, record, rows, json }]`. `rows` is the member that has the records. */
export async function createPayloads() {
  const hub = findAddress("Busy smart account");
  const settlement = findAddress("Settlement contract");
  const transfers = await createPage(`/addresses/${hub}/token-transfers`);
  const createList = (name, operation, record, body) => ({ name, operation, record, rows: "items", body });
  const createRows = (name, body) => ({ name, operation: "txList", record: "AccountTransaction", rows: "result", body });
  const payloads = [
    createList("50 transfers", "addressTokenTransfers", "TokenTransfer", transfers),
    createList("50 transfers, non-ASCII", "addressTokenTransfers", "TokenTransfer", addNonAscii(transfers)),
    createList(
      "50 logs, decoded",
      "addressLogs",
      "Log",
      await createPage(`/addresses/${settlement}/logs`, ({ decoded }) => decoded),
    ),
    createList(
      "50 NFTs with metadata",
      "addressNft",
      "NftInstance",
      await createPage(`/addresses/${hub}/nft`, ({ metadata }) => metadata),
    ),
    createList("50 addresses", "addresses", "AddressListItem", await createPage("/addresses")),
    createRows("50 rows", await createTransactionList(50)),
    createRows("10,000 rows", await createTransactionList(10_000)),
  ];
  const reversed = payloads.map(({ name, body, ...rest }) => ({
    name: `${name}, reversed keys`,
    ...rest,
    body: reverseMembers(body),
  }));
  return [...payloads, ...reversed].map(({ body, ...rest }) => ({ ...rest, json: JSON.stringify(body) }));
}
