// The answers that are measured: made from the sample service, version 11, as its own JSON.
import { createSampleService } from "../../pkg-template/testing/index.js";

const service = createSampleService({ dialect: 11 });
const address = (label) => service.addresses.find((sample) => sample.label === label).hash;
const answer = async (path) => JSON.parse(await (await service.fetch(path)).text());

/** The first 50 items of a list that pass, in a page. */
async function page(path, passes = () => true) {
  const items = [];
  let cursor = {};
  while (items.length < 50) {
    if (cursor === null) throw new Error(`${path} has only ${items.length} items that pass`);
    const part = await answer(`/api/v2${path}?${new URLSearchParams(cursor)}`);
    items.push(...part.items.filter(passes));
    cursor = part.next_page_params;
  }
  return { items: items.slice(0, 50), next_page_params: cursor };
}

/** The same page with texts that are no ASCII where people write such ones: names of tokens and addresses, ENS names. */
function foreignTexts(page) {
  const copy = structuredClone(page);
  for (const { token, from, to } of copy.items) {
    token.name &&= `${token.name} 封装代币`;
    token.symbol &&= `${token.symbol}Ξ`;
    for (const address of [from, to]) address.name &&= `Größe — ${address.name} 🦊`;
  }
  return copy;
}

/** The same value with the members of every object in reverse order: not the order that any version sends. */
function reversed(value) {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([name, member]) => [name, reversed(member)]));
}

let history;

/** An answer of the list of transactions with this many rows. */
export async function transactions(count) {
  history ??= await answer(`/api?module=account&action=txlist&address=${address("Deep history")}&page=1&offset=10000`);
  return { ...history, result: history.result.slice(0, count) };
}

/** `[{ name, operation, record, rows, text }]`; `rows` is the member that holds the records. */
export async function payloads() {
  const busy = address("Busy smart account");
  const transfers = await page(`/addresses/${busy}/token-transfers`);
  const list = (name, operation, record, page) => ({ name, operation, record, rows: "items", page });
  const rows = (name, page) => ({ name, operation: "txList", record: "AccountTransaction", rows: "result", page });
  const all = [
    list("50 transfers", "addressTokenTransfers", "TokenTransfer", transfers),
    list("50 transfers, not ASCII", "addressTokenTransfers", "TokenTransfer", foreignTexts(transfers)),
    list("50 logs, decoded", "addressLogs", "Log", await page(`/addresses/${address("Settlement contract")}/logs`, ({ decoded }) => decoded)),
    list("50 NFTs with metadata", "addressNft", "NftInstance", await page(`/addresses/${busy}/nft`, ({ metadata }) => metadata)),
    list("50 addresses", "addresses", "AddressListItem", await page("/addresses")),
    rows("50 rows", await transactions(50)),
    rows("10,000 rows", await transactions(10_000)),
  ];
  const foreign = all.map(({ name, page, ...more }) => ({ name: `${name}, foreign order`, ...more, page: reversed(page) }));
  return [...all, ...foreign].map(({ page, ...more }) => ({ ...more, text: JSON.stringify(page) }));
}
