// `history` with `maxCredits`: spent credits make progress, and a budget that is too small is rejected before it is spent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { history } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { credits, DEFAULT_CREDITS } from "../../pkg/estimate/prices.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { cacheResponses, collect, expectError, observeFetch } from "./support.mjs";

const GATEWAY = "https://gateway.invalid/1";
const service = cacheResponses(createSampleService());
const find = (id) => service.addresses.find((address) => address.id === id).hash;

function createClient(maxCredits, baseUrl = GATEWAY) {
  const fetch = observeFetch(service.fetch);
  const { urls } = fetch;
  return Object.assign(new AddressClient({ baseUrl, fetch, maxCredits }), { urls });
}

/** Reads with this budget for each session. Returns the keys of the events, and the sessions. */
async function readInSessions(params, maxCredits) {
  const keys = [];
  const sessions = [];
  for (let resume; sessions.length < 100; ) {
    const client = createClient(maxCredits);
    const call = history(client, { ...params, resume });
    const session = { events: 0, spent: 0, error: null };
    sessions.push(session);
    try {
      for await (const { key } of call) {
        keys.push(key);
        session.events += 1;
      }
    } catch (error) {
      session.error = error;
    }
    session.spent = client.credits.spent;
    if (session.error === null || session.spent === 0) break;
    assert.equal(session.error.code, "credit_limit");
    resume = session.error.resumeToken ?? resume;
  }
  return { keys, sessions };
}

for (const order of ["asc", "desc"]) {
  test(`every budget reads the history to its end, or says so without spending it twice, ${order}`, async () => {
    for (const id of ["quiet", "settlement", "proxy"]) {
      const params = { address_hash: find(id), order };
      const expected = (await collect(history(createClient(), params))).map(({ key }) => key);
      for (let budget = 20; budget <= 420; budget += id === "quiet" ? 20 : 40) {
        const { keys, sessions } = await readInSessions(params, budget);
        const { error } = sessions.at(-1);
        const title = `${id}, ${budget}: ${JSON.stringify(sessions.slice(-3))}`;
        assert.ok(sessions.length < 100, title);
        assert.deepEqual(keys, expected.slice(0, keys.length), title);
        if (error === null) {
          assert.deepEqual(keys, expected, title);
          continue;
        }
        // No budget is wasted more than once.
        const [, needed, left] = /^the history needs (\d+) credits .+ maxCredits leaves (\d+); raise it/.exec(error.message);
        assert.ok(Number(left) === budget && Number(needed) > budget, title);
        assert.equal(sessions.at(-1).spent, 0, title);
      }
    }
  });
}

test("the budget that the error names is enough, and it continues from the token", async () => {
  for (const order of ["asc", "desc"]) {
    const params = { address_hash: find("hub"), order };
    const error = await expectError(collect(history(createClient(30), params)), "credit_limit");
    const needed = Number(/needs (\d+) credits/.exec(error.message)[1]);
    const { keys } = await readInSessions(params, needed + 160);
    assert.ok(keys.length > 0);
    assert.deepEqual(createClient(30).urls, []);
  }
});

test("the error of an exhausted budget names a budget that makes progress", async () => {
  const error = await expectError(collect(history(createClient(300), { address_hash: find("settlement") })), "credit_limit");
  assert.match(
    error.message,
    /maxCredits leaves \d+; raise it to continue; a history that continues with \d+ credits makes progress$/,
  );
  assert.ok(error.resumeToken);
});

test("an instance charges no credits, so no budget is too small", async () => {
  const client = createClient(0, "https://instance.invalid");
  assert.ok((await collect(history(client, { address_hash: find("quiet") }))).length > 0);
});

test("the methods of a history cost the credits of their operations", () => {
  const price = (list) => credits[`/api/v2/addresses/{address_hash}/${list}`];
  assert.deepEqual([DEFAULT_CREDITS, price("internal-transactions"), price("token-transfers")], [20, 40, 30]);
  for (const list of ["transactions", "withdrawals", "blocks-validated"]) assert.equal(price(list), undefined);
  for (const action of ["txList", "txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"])
    assert.equal(credits[action], undefined);
});
