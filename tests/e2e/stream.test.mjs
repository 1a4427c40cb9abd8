// The package in a real browser: rows of a large answer while it arrives, and after it broke off.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { useBrowser } from "./browse.mjs";

const open = useBrowser();
const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ROWS = 6_000;

const row = (block) => ({
  blockNumber: String(block),
  timeStamp: "1793423184",
  hash: `0x${block.toString(16).padStart(64, "0")}`,
  nonce: "1",
  blockHash: `0x${"ab".repeat(32)}`,
  transactionIndex: "1",
  from: ADDRESS,
  to: ADDRESS,
  value: "1",
  gas: "21000",
  gasPrice: "1",
  gasUsed: "21000",
  cumulativeGasUsed: "21000",
  confirmations: "1",
  isError: "0",
  txreceipt_status: "1",
  input: "0x",
  methodId: "0x",
  contractAddress: "",
});

const bodyFrom = (first) => {
  const result = Array.from({ length: ROWS - first }, (_, i) => row(first + i));
  return Buffer.from(JSON.stringify({ message: "OK", result, status: "1" }));
};

/** Sends the first half of its first answer; `then` sends the rest, after the page has said that it has rows. */
async function startService(t, then) {
  let halved = false;
  let seen;
  const told = new Promise((resolve) => (seen = resolve));
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    if (request.url.startsWith("/seen")) {
      seen();
      return response.end();
    }
    const { searchParams } = new URL(request.url, "http://localhost");
    const body = bodyFrom(Number(searchParams.get("startblock") ?? 0));
    if (halved) return response.end(body);
    halved = true;
    response.setHeader("content-length", body.length);
    response.write(body.subarray(0, body.length / 2));
    await told;
    then(response, body.subarray(body.length / 2));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** The blocks of all rows; the service is told of the first one. */
const read = (page, baseUrl) =>
  page.evaluate(
    async ({ baseUrl, address }) => {
      const { AddressClient } = await import("/pkg/index.js");
      const reading = new AddressClient({ baseUrl }).account.txList.all({ address, sort: "asc" });
      const blocks = [];
      for await (const { blockNumber } of reading) if (blocks.push(Number(blockNumber)) === 1) fetch(`${baseUrl}/seen`);
      return { blocks, report: reading.report };
    },
    { baseUrl, address: ADDRESS },
  );

const ALL = Array.from({ length: ROWS }, (_, i) => i);

test("rows are there before the second half of their answer is sent", { timeout: 60_000 }, async (t) => {
  const baseUrl = await startService(t, (response, rest) => response.end(rest));
  const { page } = await open(t);
  const { blocks, report } = await read(page, baseUrl);
  assert.deepEqual(blocks, ALL);
  assert.deepEqual([report.complete, report.requests, report.records], [true, 1, ROWS]);
});

test("an answer that breaks off in the middle loses and doubles nothing", { timeout: 60_000 }, async (t) => {
  const baseUrl = await startService(t, (response) => response.destroy());
  const { page } = await open(t);
  const { blocks, report } = await read(page, baseUrl);
  assert.deepEqual(blocks, ALL);
  assert.deepEqual([report.complete, report.requests, report.records], [true, 2, ROWS]);
});
