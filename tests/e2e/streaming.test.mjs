// Tests streaming in a real browser: rows are delivered while the response arrives, and survive a dropped connection.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { openDemo } from "./demo-page.mjs";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ROW_COUNT = 6_000;
/** Requests that prove that a response below 10,000 rows was not cut by a limit. */
const END_CHECKS = 1;

const createRow = (block) => ({
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

/** Encodes a response with one row for each block from `firstBlock` on. */
const encodeResponse = (firstBlock) => {
  const result = Array.from({ length: ROW_COUNT - firstBlock }, (_, index) => createRow(firstBlock + index));
  return Buffer.from(JSON.stringify({ message: "OK", result, status: "1" }));
};

/**
 * Starts a service that sends only half of its first response, and then waits for a request to /first-row-received.
 * After that, `finish(response, secondHalf)` decides how the response ends. Returns the base URL.
 */
async function startPausingService(t, finish) {
  let isFirstResponse = true;
  let onFirstRow;
  const firstRow = new Promise((resolve) => (onFirstRow = resolve));
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    if (request.url.startsWith("/first-row-received")) {
      onFirstRow();
      return response.end();
    }
    const { searchParams } = new URL(request.url, "http://localhost");
    const body = encodeResponse(Number(searchParams.get("startblock") ?? 0));
    if (!isFirstResponse) return response.end(body);
    isFirstResponse = false;
    response.setHeader("content-length", body.length);
    response.write(body.subarray(0, body.length / 2));
    await firstRow;
    finish(response, body.subarray(body.length / 2));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** Reads all rows in the page, and notifies the service of the first one. Returns their block numbers and the report. */
const readBlocks = (page, baseUrl) =>
  page.evaluate(
    async ({ baseUrl, address }) => {
      const { AddressClient } = await import("/pkg/index.js");
      const iteration = new AddressClient({ baseUrl }).account.txList.all({ address, sort: "asc" });
      const blocks = [];
      for await (const { blockNumber } of iteration) {
        blocks.push(Number(blockNumber));
        if (blocks.length === 1) await fetch(`${baseUrl}/first-row-received`);
      }
      return { blocks, report: iteration.report };
    },
    { baseUrl, address: ADDRESS },
  );

const ALL_BLOCKS = Array.from({ length: ROW_COUNT }, (_, index) => index);

test("delivers rows before the second half of the response is sent", async (t) => {
  const baseUrl = await startPausingService(t, (response, secondHalf) => response.end(secondHalf));
  const { page } = await openDemo(t);
  const { blocks, report } = await readBlocks(page, baseUrl);
  assert.deepEqual(blocks, ALL_BLOCKS);
  assert.deepEqual([report.complete, report.requests, report.records], [true, 1 + END_CHECKS, ROW_COUNT]);
});

test("a dropped connection causes no lost or duplicate rows", async (t) => {
  const baseUrl = await startPausingService(t, (response) => response.destroy());
  const { page } = await openDemo(t);
  const { blocks, report } = await readBlocks(page, baseUrl);
  assert.deepEqual(blocks, ALL_BLOCKS);
  assert.deepEqual([report.complete, report.requests, report.records], [true, 2 + END_CHECKS, ROW_COUNT]);
});
