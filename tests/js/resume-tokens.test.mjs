// The resume tokens of lists, which the WebAssembly module creates, and of histories, watches and approvals have one format.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { approvals } from "../../pkg/approvals/index.js";
import { history, mergeHistories, watch } from "../../pkg/history/index.js";
import { createStore, memoryDatabase } from "../../pkg/store/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { formatToken, parseToken, replacePosition } from "./resume-tokens.mjs";

const service = createSampleService();
const options = { baseUrl: "https://sample.invalid", fetch: service.fetch };
const client = new AddressClient(options);
const address_hash = service.addresses.find(({ id }) => id === "hub").hash;
const list = (resume) => client.addressTransactions({ address_hash }, { resume });
const events = (resume) => history(client, { address_hash, resume })[Symbol.asyncIterator]().next();
const news = (since) => watch(client, { address_hash, since })[Symbol.asyncIterator]().next();

/** A token of each call, after the first record. */
async function createTokens(client) {
  const call = history(client, { address_hash });
  for await (const _ of call) break;
  const watching = watch(client, { address_hash, since: 0 });
  for await (const _ of watching) break;
  const controller = new AbortController();
  const stopped = { address_hash, details: false, onProgress: () => controller.abort(), signal: controller.signal };
  const { resumeToken } = await approvals(client, stopped).catch((error) => error);
  const page = await client.addressTransactions({ address_hash });
  return {
    addressTransactions: page.resumeToken,
    history: call.resumeToken,
    watch: watching.resumeToken,
    approvals: resumeToken,
  };
}

const tokens = await createTokens(client);
const readers = {
  addressTransactions: list,
  history: events,
  watch: news,
  approvals: (resume) => approvals(client, { address_hash, resume, details: false }),
};
const parameterOf = (operation) => (operation === "watch" ? "since" : "resume");

test("all tokens have one format", () => {
  for (const [operation, token] of Object.entries(tokens)) {
    const parts = parseToken(token);
    assert.equal(parts.operation, operation);
    assert.equal(formatToken(parts), token);
  }
});

test("a token is valid for the call that created it", async () => {
  for (const [operation, token] of Object.entries(tokens)) {
    if (operation !== "watch") await readers[operation](token);
  }
});

test("a token of another operation is rejected", async () => {
  for (const [operation, read] of Object.entries(readers)) {
    for (const [other, token] of Object.entries(tokens)) {
      if (other === operation) continue;
      const message = `${parameterOf(operation)}: is a token of ${other}, not of ${operation}`;
      await assert.rejects(read(token), { code: "invalid_parameter", parameter: parameterOf(operation), message });
    }
  }
});

test("a token of another base URL is rejected", async () => {
  const other = new AddressClient({ ...options, baseUrl: "https://other.invalid" });
  const rejects = (promise, parameter) => assert.rejects(promise, { parameter, message: /belongs to another chain or base URL/ });
  await rejects(other.addressTransactions({ address_hash }, { resume: tokens.addressTransactions }), "resume");
  await rejects(history(other, { address_hash, resume: tokens.history })[Symbol.asyncIterator]().next(), "resume");
  await rejects(watch(other, { address_hash, since: tokens.watch })[Symbol.asyncIterator]().next(), "since");
  await rejects(approvals(other, { address_hash, resume: tokens.approvals }), "resume");
});

test("a token of a chain is valid wherever the chain is read, and a token of its base URL stays valid", async () => {
  const read = (client, tokens) =>
    Promise.all([
      client.addressTransactions({ address_hash }, { resume: tokens.addressTransactions }),
      history(client, { address_hash, resume: tokens.history })[Symbol.asyncIterator]().next(),
      approvals(client, { address_hash, resume: tokens.approvals, details: false }),
    ]);
  const server = new AddressClient({ ...options, chain: { id: 1, baseUrl: options.baseUrl } });
  const fetch = (request) => service.fetch(new Request(request.url.replace("https://proxy.invalid/1", options.baseUrl)));
  const page = new AddressClient({ baseUrl: "https://proxy.invalid", chainId: 1, fetch });
  const ofServer = await createTokens(server);
  await read(page, ofServer);
  await read(server, tokens);
  const other = new AddressClient({ baseUrl: "https://proxy.invalid", chainId: 10, fetch });
  for (const resume of [ofServer.history, tokens.history]) {
    const call = history(other, { address_hash, resume })[Symbol.asyncIterator]().next();
    await assert.rejects(call, { parameter: "resume", message: /belongs to another chain/ });
  }
});

test("every damaged character is detected", async () => {
  for (const [operation, read] of Object.entries(readers)) {
    const token = tokens[operation];
    const step = Math.max(1, Math.floor(token.length / 60));
    for (let at = 0; at < token.length; at += step) {
      const damaged = token.slice(0, at) + (token[at] === "7" ? "8" : "7") + token.slice(at + 1);
      for (const resume of [damaged, token.slice(0, at), token + token[at]]) {
        if (operation === "watch" && resume === "") continue;
        await assert.rejects(read(resume), { code: "invalid_parameter", parameter: parameterOf(operation) }, resume);
      }
    }
  }
});

test("a token of another version is named as such", async () => {
  for (const [operation, read] of Object.entries(readers)) {
    const message = `${parameterOf(operation)}: is a token of another version of this library; start without it`;
    await assert.rejects(read(tokens[operation].replace("aq1", "aq0")), { message });
  }
});

test("a position of another shape is rejected", async () => {
  for (const operation of ["history", "watch", "approvals"]) {
    for (const position of [null, 7, [], "", { block: -1 }]) {
      const token = replacePosition(tokens[operation], () => position);
      await assert.rejects(readers[operation](token), { code: "invalid_parameter", parameter: parameterOf(operation) });
    }
  }
});

test("the format of tokens never changes", async () => {
  const HISTORY =
    "%7B%22bounds%22%3A%7B%22from%22%3A5%2C%22to%22%3A90%2C%22boundMethod%22%3A%22blocks%22%7D%2C%22block%22%3A40%2C%22key%22%3A%22tx%3A0x1%C3%A9%22%2C%22count%22%3A2%2C%22starts%22%3A%5Bnull%2Cfalse%2C%22aq1.x%22%5D%7D";
  const saved = {
    history: `aq1.history.d0ff7620cefc07a0.c8368f5d5db35b2a.${HISTORY}`,
    watch: "aq1.watch.b2672e41e041be8c.55b8953cfae0faf8.%7B%22from%22%3A7%2C%22events%22%3A%5B%5D%7D",
    merge: `aq1.merge.60f45d0edc82284a.88a83c5d1ab7f5bd.%5Bnull%2C${HISTORY}%5D`,
    store: "aq1.store.5a87c8969af35938.eba409e3e1873a76.%7B%22block_number%22%3A12%2C%22position%22%3A3%7D",
    approvals:
      "aq1.approvals.851e4765a65d0622.81fbf233f0f4ffd0.%7B%22block%22%3A9%2C%22range%22%3A0%2C%22token%22%3Anull%2C%22events%22%3A4%2C%22incompleteBlocks%22%3A%5B%5D%2C%22omitted%22%3A%7B%22count%22%3A0%2C%22first%22%3A%5B%5D%7D%2C%22grants%22%3A%5B%5D%7D",
  };
  const [address_hash, other] = [`0x${"1f".repeat(20)}`, `0x${"2e".repeat(20)}`];
  const fetch = () => assert.fail("nothing is requested");
  const client = new AddressClient({ ...options, fetch });
  const store = createStore({ database: memoryDatabase() });
  const calls = {
    history: history(client, { address_hash, resume: saved.history }),
    watch: watch(client, { address_hash, since: saved.watch }),
    merge: mergeHistories(
      [address_hash, other].map((address_hash) => ({ client, address_hash })),
      { resume: saved.merge },
    ),
    // A copy is read without a client, and so without the WebAssembly module.
    store: store.history({ source: { ...client.source } }, { address_hash, resume: saved.store }),
  };
  for (const [operation, call] of Object.entries(calls)) {
    assert.equal(call.resumeToken, saved[operation]);
    // Rejects if the token belongs to another request.
    await call.identify();
  }
  const params = { address_hash, resume: saved.approvals, signal: AbortSignal.abort() };
  await assert.rejects(approvals(client, params), { code: "aborted", resumeToken: saved.approvals });
});
