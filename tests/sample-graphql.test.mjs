// Tests of GraphQL in the sample service, and of the queries of the client against the service's schema.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { buildSchema, parse, validate } from "./node_modules/graphql/index.mjs";
import { AddressClient } from "../pkg/index.js";
import { createSampleService } from "../pkg/testing/index.js";

const service = createSampleService();
const { hash: address } = service.addresses.find(({ id }) => id === "hub");
const UNKNOWN = `0x${"5a".repeat(20)}`;

async function post(body, target = service) {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await target.fetch("https://any.example/prefix/api/v1/graphql", init);
  return { status: response.status, body: await response.json() };
}

const query = async (text, variables, target) => (await post({ query: text, variables }, target)).body;

describe("GraphQL of the sample service", () => {
  test("fields have aliases, arguments, variables with defaults, and fragments", async () => {
    const text = `
      query Newest($hash: AddressHash!, $order: SortOrder = ASC) {
        account: address(hash: $hash) { ...Transactions hash }
      }
      fragment Transactions on Address {
        transactions(first: 2, order: $order) { edges { cursor node { n: blockNumber ... on Transaction { status } } } }
      }`;
    const { data } = await query(text, { hash: address });
    assert.equal(data.account.hash, address.toLowerCase());
    const [first, second] = data.account.transactions.edges;
    assert.equal(atob(second.cursor), "arrayconnection:1");
    assert.ok(first.node.n <= second.node.n);
    assert.match(first.node.status, /^(OK|ERROR)$/);
  });

  test("pages are forward and backward", async () => {
    const text = `query ($hash: AddressHash!, $first: Int, $last: Int, $after: String, $before: String, $count: Int) {
      address(hash: $hash) {
        transactions(first: $first, last: $last, after: $after, before: $before, count: $count) {
          edges { node { hash } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    }`;
    const read = async (variables) => (await query(text, { hash: address, ...variables })).data.address.transactions;
    const hashes = ({ edges }) => edges.map(({ node }) => node.hash);
    const all = await read({ first: 9 });
    const second = await read({ first: 3, after: (await read({ first: 3 })).pageInfo.endCursor });
    assert.deepEqual(hashes(second), hashes(all).slice(3, 6));
    assert.deepEqual([second.pageInfo.hasNextPage, second.pageInfo.hasPreviousPage], [true, true]);
    assert.deepEqual(hashes(await read({ last: 3, before: second.pageInfo.startCursor })), hashes(all).slice(0, 3));
    assert.deepEqual(hashes(await read({ last: 2, count: 9 })), hashes(all).slice(7));
  });

  test("complexity is limited", async () => {
    // As documented: 10 per record, and 1 for the address.
    const text = (first) =>
      `{ address(hash: "${address}") { transactions(first: ${first}) {
        edges { cursor node { hash value nonce gas } } pageInfo { hasNextPage endCursor } } } }`;
    assert.equal((await query(text(9))).data.address.transactions.edges.length, 9);
    const { data, errors } = await query(text(10));
    assert.equal(data, undefined);
    assert.deepEqual(
      errors.map(({ message }) => message),
      [
        "Field address is too complex: complexity is 101 and maximum is 100",
        "Operation is too complex: complexity is 101 and maximum is 100",
      ],
    );
    const hashes = Array.from({ length: 51 }, (_, i) => `0x${String(i).padStart(40, "0")}`);
    const balances = "query ($hashes: [AddressHash!]!) { addresses(hashes: $hashes) { hash fetchedCoinBalance } }";
    assert.match((await query(balances, { hashes })).errors[0].message, /complexity is 102/);
  });

  test("errors have the messages of the service", async () => {
    const getMessages = ({ errors }) => errors.map(({ message }) => message);
    const balance = (hash) => query(`{ address(hash: "${hash}") { fetchedCoinBalance } }`);
    const unknown = await balance(UNKNOWN);
    assert.deepEqual([unknown.data, getMessages(unknown)], [{ address: null }, ["Address not found."]]);
    assert.deepEqual(unknown.errors[0].path, ["address"]);
    const transaction = await query(`{ transaction(hash: "0x${"0".repeat(64)}") { hash } }`);
    assert.deepEqual(getMessages(transaction), ["Transaction not found."]);
    assert.deepEqual(getMessages(await query(`{ addresses(hashes: ["${UNKNOWN}"]) { hash } }`)), ["Addresses not found."]);
    const batch = [{ query: "{ a }" }, { query: "{ b }" }];
    assert.deepEqual(await post(batch), { status: 400, body: { errors: [{ message: "Max batch size is 1" }] } });
    for (const [text, message] of [
      ["{ address { hash } }", /In argument "hash"/],
      [`{ address(hash: "${address}") { password } }`, /Cannot query field "password" on type "Address"/],
      [`{ address(hash: "${address}", page: 1) { hash } }`, /Unknown argument "page"/],
      [`{ address(hash: "${address}") }`, /must have a selection of subfields/],
      [`{ address(hash: "${address}") { transactions { edges { cursor } } } }`, /either supply `:first` or `:last`/],
      ["{ address(hash: $hash) { hash } }", /Variable "\$hash" is not defined/],
      ["mutation { x }", /Only queries/],
      ["{", /Syntax Error/],
    ]) {
      assert.match(getMessages(await query(text))[0], message, text);
    }
  });

  test("GraphQL can be switched off", async () => {
    const text = `{ address(hash: "${address}") { hash } }`;
    const response = await query(text, {}, createSampleService({ graphqlMaxComplexity: 0 }));
    const errors = [{ message: "GraphQL API is disabled.", path: ["address"] }];
    assert.deepEqual(response, { data: { address: null }, errors });
    assert.throws(() => createSampleService({ graphqlMaxComplexity: -1 }), /non-negative integer/);
  });
});

describe("queries of the client", () => {
  test("are valid for the schema of the service", async () => {
    const queries = new Set();
    const fetch = async (request) => {
      queries.add((await request.clone().json()).query);
      return service.fetch(request);
    };
    const { graphql } = new AddressClient({ baseUrl: "https://sample.example", fetch });
    await graphql.balance({ address });
    await graphql.balanceMulti({ address });
    await graphql.txList({ address });
    await graphql.tokenTx({ address });
    await graphql.tokenTx({ contractaddress: address });
    await graphql.txListInternal({ txhash: `0x${"0".repeat(64)}` });
    assert.equal(queries.size, 6);
    const schema = buildSchema(readFileSync(new URL("schema.graphql", import.meta.url), "utf8"));
    for (const text of queries) assert.deepEqual(validate(schema, parse(text)), [], text);
  });
});
