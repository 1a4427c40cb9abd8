// The templates of programs for taxes and portfolios: each file is read back by the rules of its program.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import * as entry from "../../pkg/history/index.js";
import {
  ACTIVITY_RULES,
  activities,
  auditBalance,
  coinTracking,
  doubleEntry,
  history,
  koinly,
  rotkiEvents,
  rotkiTrades,
  toCsv,
  withValues,
} from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { collect, expectError } from "./support.mjs";

const TEMPLATES = { koinly, coinTracking, rotkiTrades, rotkiEvents, doubleEntry };
/** Amounts are compared as integers with this many decimals. */
const PLACES = 300;
const HASH = `0x${"a".repeat(64)}`;
const CONTRACT = `0x${"c".repeat(40)}`;
const COIN = { type: "native", decimals: "18" };
const createToken = (more = {}) => ({
  type: "token",
  standard: "ERC-20",
  contract: CONTRACT,
  name: "Dollar",
  symbol: "DLR",
  decimals: "6",
  token_id: null,
  ...more,
});

const service = createSampleService();
const find = (id) => service.addresses.find((address) => address.id === id).hash;
const client = new AddressClient({ baseUrl: "https://sample.invalid", maxPerSecond: 1000, fetch: service.fetch });

/** Creates an activity. */
function createActivity(more = {}) {
  return {
    key: HASH,
    kind: "contract_call",
    timestamp: "2026-01-31T10:00:05Z",
    transaction_hash: HASH,
    sent: [],
    received: [],
    fee: null,
    method: null,
    ...more,
  };
}

/** Parses a CSV file by RFC 4180 into objects, by the names of the columns. */
function parseCsv(text) {
  const lines = [];
  let [cells, cell, isQuoted] = [[], "", false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "," || char === "\n") {
      cells.push(cell.replace(/\r$/, ""));
      cell = "";
      if (char === "\n") lines.push(cells.splice(0));
    } else cell += char;
  }
  const [header, ...rows] = lines;
  return rows.map((row) => {
    assert.equal(row.length, header.length);
    return Object.fromEntries(header.map((name, i) => [name, row[i]]));
  });
}

const write = async (source, columns) => new Response(toCsv(source, { columns })).text();
const read = async (source, columns) => parseCsv(await write(source, columns));

function toInteger(decimal) {
  assert.match(decimal, /^\d+(\.\d+)?$/);
  const [whole, fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(PLACES, "0"));
}

/** Adds up amounts by currency. An amount that is not known is empty. */
class Balances {
  sums = new Map();

  add(currency, amount, sign = 1n) {
    if (amount === "" || currency === "") return;
    this.sums.set(currency, (this.sums.get(currency) ?? 0n) + sign * toInteger(amount));
  }

  get nonZero() {
    return new Map([...this.sums].filter(([, sum]) => sum !== 0n).sort());
  }
}

const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Readers of the files, by the public descriptions of the programs. Each returns the balances of the wallet. */
const READERS = {
  // Amounts exclude fees. A deposit has no fee.
  koinly(balances, row) {
    assert.match(row.Date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    if (row["Sent Currency"] === "") assert.deepEqual([row["Fee Amount"], row["Fee Currency"]], ["", ""]);
    assert.ok(row["Sent Currency"] || row["Received Currency"]);
    balances.add(row["Received Currency"], row["Received Amount"]);
    balances.add(row["Sent Currency"], row["Sent Amount"], -1n);
    balances.add(row["Fee Currency"], row["Fee Amount"], -1n);
  },
  // Amounts include fees in their currency. Any other fee is a row.
  coinTracking(balances, row) {
    assert.match(row.Date, isTime);
    const sides = { Trade: [1, 1], Withdrawal: [0, 1], "Other Fee": [0, 1] }[row.Type] ?? [1, 0];
    assert.ok(["Trade", "Withdrawal", "Other Fee", "Deposit", "Airdrop", "Mining"].includes(row.Type), row.Type);
    assert.deepEqual(
      [row["Buy Currency"], row["Sell Currency"]].map((cell) => Number(cell !== "")),
      sides,
    );
    if (row.Fee !== "") assert.equal(row["Fee Currency"], row["Sell Currency"]);
    balances.add(row["Buy Currency"], row["Buy Amount"]);
    balances.add(row["Sell Currency"], row["Sell Amount"], -1n);
  },
  // Milliseconds. A fee is an event of its own.
  rotkiTrades(balances, row) {
    assert.match(row.Timestamp, /^\d{13}$/);
    balances.add(row["Receive Currency"], row["Receive Amount"]);
    balances.add(row["Spend Currency"], row["Spend Amount"], -1n);
    balances.add(row["Fee Currency"], row.Fee, -1n);
  },
  rotkiEvents(balances, row) {
    assert.match(row.Timestamp, /^\d{13}$/);
    assert.ok(["Income", "Spend", "Staking"].includes(row.Type), row.Type);
    balances.add(row.Currency, row.Amount, row.Type === "Spend" ? -1n : 1n);
    balances.add(row["Fee Currency"], row.Fee, -1n);
  },
  doubleEntry(balances, row) {
    assert.match(row.Date, isTime);
    assert.ok(row.Debit === "" || row.Credit === "");
    if (row.Account !== "wallet") return;
    balances.add(row.Currency, row.Debit);
    balances.add(row.Currency, row.Credit, -1n);
  },
};

/** A name that no two assets share. */
const currencyOf = ({ contract, token_id }) => `${contract} ${token_id ?? ""}`;

/** Returns what the events of a history sum up to. */
function sumEvents(events) {
  const balances = new Balances();
  for (const { asset, amount, direction, fee, success } of events) {
    const isNft = asset.token_id != null && asset.standard !== "ERC-1155" && amount === "1";
    const places = isNft || !(asset.decimals >= 0 && asset.decimals <= 255) ? 0 : Number(asset.decimals);
    const currency = asset.type === "native" ? "ETH" : currencyOf(asset);
    const format = (value, decimals) => {
      const digits = value.padStart(decimals + 1, "0");
      return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
    };
    if (amount !== null && success !== false && direction !== "self")
      balances.add(currency, format(amount, places), direction === "in" ? 1n : -1n);
    if (fee !== null) balances.add("ETH", format(fee, 18), -1n);
  }
  return balances.nonZero;
}

describe("what a program reads adds up to the history, in either order", () => {
  for (const id of ["showcase", "collector", "quiet", "hostile", "airdropped"]) {
    test(id, async () => {
      const address_hash = find(id);
      for (const order of ["asc", "desc"]) {
        const all = await collect(activities(client, { address_hash, order }));
        const events = await collect(history(client, { address_hash, order }));
        const expected = sumEvents(events);
        // Nobody knows the balance of a token with an amount that is not known.
        const unknown = events.filter(({ amount }) => amount === null).map(({ asset }) => currencyOf(asset));
        for (const names of [["koinly"], ["coinTracking"], ["rotkiTrades", "rotkiEvents"], ["doubleEntry"]]) {
          const balances = new Balances();
          for (const name of names) {
            const rows = await read(all, TEMPLATES[name]({ coin: "ETH", currencyOf }));
            for (const row of rows) READERS[name](balances, row);
          }
          for (const currency of unknown) for (const sums of [balances.sums, expected]) sums.delete(currency);
          assert.deepEqual(balances.nonZero, expected, `${names} ${order}`);
        }
      }
    });
  }
});

/** The cases that each template distinguishes, and whether a row is one. */
const CASES = {
  koinly: {
    swap: (row) => row.Description.startsWith("swap") && row["Sent Amount"] && row["Received Amount"] && row["Fee Amount"],
    wrap: (row) => row.Description.startsWith("wrap") && row.Label === "swap",
    unwrap: (row) => row.Description.startsWith("unwrap") && row.Label === "swap",
    airdrop: (row) => row.Label === "airdrop" && row["Received Amount"],
    reward: (row) => row.Label === "reward" && row["Received Amount"],
    "fee only": (row) => row.Label === "cost" && row["Sent Amount"] && !row["Received Amount"],
    deposit: (row) => row.Label === "" && row["Received Amount"] && !row["Sent Amount"],
    withdrawal: (row) => row.Label === "" && row["Sent Amount"] && row["Fee Amount"] && !row["Received Amount"],
  },
  coinTracking: Object.fromEntries(
    ["Trade", "Withdrawal", "Deposit", "Airdrop", "Mining", "Other Fee"].map((type) => [type, (row) => row.Type === type]),
  ),
  rotkiTrades: {
    swap: (row) => row.Description.startsWith("swap") && row.Fee !== "",
    wrap: (row) => row.Description.startsWith("wrap"),
    unwrap: (row) => row.Description.startsWith("unwrap"),
  },
  rotkiEvents: {
    Income: (row) => row.Type === "Income",
    Staking: (row) => row.Type === "Staking" && row.Description === "reward",
    Spend: (row) => row.Type === "Spend" && row.Fee !== "",
    "fee only": (row) => row.Type === "Spend" && row.Description.startsWith("approve") && row.Fee === "",
  },
  doubleEntry: {
    fees: (row) => row.Account === "fees" && row.Debit !== "",
    ...Object.fromEntries(
      ["wallet", ...new Set(ACTIVITY_RULES.map(({ kind }) => kind))]
        .filter((kind) => !["approve", "failed", "deploy", "spam", "contract_call"].includes(kind))
        .map((kind) => [kind, (row) => row.Account === kind]),
    ),
  },
};

for (const [name, cases] of Object.entries(CASES)) {
  test(`${name}: the sample addresses have a row of each case that it distinguishes`, async () => {
    const [{ height }] = service.getAllItems("/blocks");
    const sources = [
      activities(client, { address_hash: find("showcase") }),
      activities(client, { address_hash: find("producer"), from: height - 1000 }),
    ];
    const rows = (await Promise.all(sources.map((source) => read(source, TEMPLATES[name]({ coin: "ETH" }))))).flat();
    assert.deepEqual(
      Object.keys(cases).filter((id) => !rows.some(cases[id])),
      [],
    );
  });
}

test("the coins of a file are the balance that the audit computes", async () => {
  const address_hash = find("showcase");
  const { native, balanced } = await auditBalance(client, { address_hash });
  assert.ok(balanced);
  const balances = new Balances();
  const source = activities(client, { address_hash, order: "asc" });
  for (const row of await read(source, koinly({ coin: "ETH", currencyOf }))) READERS.koinly(balances, row);
  assert.equal(balances.sums.get("ETH"), BigInt(native.computed) * 10n ** BigInt(PLACES - 18));
});

test("debits and credits of each transaction and currency are equal", async () => {
  const rows = await read(activities(client, { address_hash: find("showcase") }), doubleEntry({ coin: "ETH", currencyOf }));
  const balances = new Balances();
  for (const { Transaction, Currency, Debit, Credit } of rows) {
    balances.add(`${Transaction} ${Currency}`, Debit);
    balances.add(`${Transaction} ${Currency}`, Credit, -1n);
  }
  assert.ok(rows.length > 100);
  assert.deepEqual(balances.nonZero, new Map());
});

test("a swap with its fee is one row", async () => {
  const fiat = { value: "2500.5", currency: "USD" };
  const swap = createActivity({
    kind: "swap",
    sent: [{ asset: COIN, amount: "1000000000000000000", fiat }],
    received: [{ asset: createToken(), amount: "2500000000", fiat: null }],
    fee: "2000000000000000",
  });
  const files = await Promise.all(Object.values(TEMPLATES).map((template) => read([swap], template({ coin: "ETH" }))));
  assert.deepEqual(
    files.map((rows) => rows.length),
    [1, 1, 1, 0, 6],
  );
  assert.deepEqual(files[0][0], {
    Date: "2026-01-31 10:00:05 UTC",
    "Sent Amount": "1",
    "Sent Currency": "ETH",
    "Received Amount": "2500",
    "Received Currency": "DLR",
    "Fee Amount": "0.002",
    "Fee Currency": "ETH",
    "Net Worth Amount": "2500.5",
    "Net Worth Currency": "USD",
    Label: "",
    Description: "swap",
    TxHash: HASH,
  });
  assert.deepEqual(files[1][0], {
    Type: "Trade",
    "Buy Amount": "2500",
    "Buy Currency": "DLR",
    "Sell Amount": "1.002",
    "Sell Currency": "ETH",
    Fee: "0.002",
    "Fee Currency": "ETH",
    Exchange: "",
    "Trade-Group": "swap",
    Comment: "swap",
    Date: "2026-01-31 10:00:05",
    "Tx-ID": HASH,
    "Buy Value in Account Currency": "",
    "Sell Value in Account Currency": "2500.5",
  });
  assert.deepEqual(files[2][0], {
    Location: "external",
    "Spend Currency": "ETH",
    "Receive Currency": "DLR",
    "Spend Amount": "1",
    "Receive Amount": "2500",
    Fee: "0.002",
    "Fee Currency": "ETH",
    Description: "swap",
    Timestamp: String(Date.UTC(2026, 0, 31, 10, 0, 5)),
  });
});

test("a fee without anything sent, and further legs, are rows", async () => {
  const received = [createToken(), createToken({ symbol: "NFT", standard: "ERC-721", token_id: "7", decimals: "18" })];
  const claim = createActivity({
    kind: "airdrop",
    received: received.map((asset) => ({ asset, amount: "1" })),
    fee: "1",
    method: "claim",
  });
  const rows = await read([claim], koinly({ coin: "ETH" }));
  assert.deepEqual(
    rows.map((row) => [row["Sent Amount"], row["Received Amount"], row["Received Currency"], row.Label, row.Description]),
    [
      ["", "0.000001", "DLR", "airdrop", "airdrop claim"],
      ["", "1", "NFT #7", "airdrop", "airdrop claim"],
      ["0.000000000000000001", "", "", "cost", "airdrop claim"],
    ],
  );
  const types = (await read([claim], coinTracking({ coin: "ETH" }))).map(({ Type }) => Type);
  assert.deepEqual(types, ["Airdrop", "Airdrop", "Other Fee"]);
  const token_fee = { amount: "3000000", contract: CONTRACT, symbol: "DLR", decimals: "6" };
  const paid = await read([createActivity({ token_fee })], rotkiEvents({ coin: "CELO" }));
  assert.deepEqual(
    paid.map((row) => [row.Type, row.Amount, row.Currency]),
    [["Spend", "3", "DLR"]],
  );
  assert.deepEqual(await read([createActivity()], koinly({ coin: "ETH" })), []);
});

test("a hostile symbol is neither a formula nor another asset's name", async () => {
  const symbols = [
    "=1+1",
    "@SUM(A1)",
    "-2",
    "eth",
    "ETH",
    "UЅDC",
    "ＵＳＤＣ",
    "U\u200bSDC",
    'a","b',
    "x\r\ny",
    " USDC",
    "",
    null,
  ];
  for (const symbol of symbols) {
    const leg = { asset: createToken({ symbol }), amount: "1000000" };
    for (const template of [koinly, coinTracking, rotkiEvents, doubleEntry]) {
      const text = await write([createActivity({ received: [leg], method: "=HYPERLINK(1)" })], template({ coin: "ETH" }));
      assert.ok(text.includes(`"${CONTRACT}"`), text);
      for (const row of parseCsv(text)) for (const cell of Object.values(row)) assert.doesNotMatch(cell, /^[=+\-@\s]/);
    }
  }
  const named = await write(
    [createActivity({ received: [{ asset: createToken(), amount: "1" }] })],
    koinly({ coin: "ETH", currencyOf: () => "=A1" }),
  );
  assert.ok(named.includes(`"'=A1"`));
});

test("values of activities are in the file, and the progress counts rows", async () => {
  const source = withValues(client, activities(client, { address_hash: find("collector") }));
  let rows = 0;
  const onProgress = (progress) => {
    rows = progress.rows;
  };
  const text = await new Response(toCsv(source, { columns: koinly({ coin: "ETH" }), onProgress })).text();
  const parsed = parseCsv(text);
  assert.equal(rows, parsed.length);
  const coins = parsed.filter((row) => row["Sent Currency"] === "ETH");
  assert.ok(coins.length > 0);
  for (const row of coins) {
    assert.match(row["Net Worth Amount"], /^\d+(\.\d+)?$/);
    assert.equal(row["Net Worth Currency"], "USD");
  }
});

test("a template needs the symbol of the coin, and cells that a file can hold", async () => {
  for (const template of Object.values(TEMPLATES)) {
    for (const options of [{}, { coin: "" }, { coin: 1 }])
      assert.throws(() => template(options), { code: "invalid_parameter", parameter: "coin" });
  }
  const template = { header: ["a"], toRows: () => [[{}]] };
  await expectError(write([{}], template), "invalid_parameter", { parameter: "columns" });
});

test("a bundle has only the functions that it imports", () => {
  const bundle = (names) => {
    const contents = `export { ${names} } from ${JSON.stringify(fileURLToPath(new URL("../../pkg/history/index.js", import.meta.url)))};`;
    const options = { bundle: true, minify: true, format: "esm", write: false };
    return buildSync({ stdin: { contents, resolveDir: "/" }, ...options }).outputFiles[0].text;
  };
  /** A string that only the code of a function has. */
  const marks = {
    koinly: "Net Worth",
    coinTracking: "Trade-Group",
    rotkiTrades: "Spend Amount",
    rotkiEvents: "Staking",
    doubleEntry: "Debit",
    withValues: "marketChart",
    sumValues: "must have values in one currency",
    activitySpan: "only pending records",
  };
  for (const [name, mark] of Object.entries(marks)) {
    assert.ok(bundle(name).includes(mark), name);
    const others = Object.keys(entry).filter((other) => other !== name);
    assert.ok(!bundle(others).includes(mark), `the others without ${name}`);
  }
});
