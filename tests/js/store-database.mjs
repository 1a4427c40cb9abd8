// The contract of the databases of a store, which each of them is tested with.
import assert from "node:assert/strict";

/** Tests a database. `open` opens it, again after it was closed. */
export const DATABASE_TESTS = {
  "returns entries in the order of their keys, in both directions, and up to a limit": async (open) => {
    const database = await open();
    await database.write({ put: ["b/2", "a", "b/10", "c", "b/1"].map((key) => [key, { key }]) });
    const read = async (...args) => (await database.read(...args)).map(([key, value]) => assert.deepEqual(value, { key }) ?? key);
    assert.deepEqual(await read("b/", "b0"), ["b/1", "b/10", "b/2"]);
    assert.deepEqual(await read("b/", "b0", { limit: 2 }), ["b/1", "b/10"]);
    assert.deepEqual(await read("b/", "b0", { reverse: true, limit: 2 }), ["b/2", "b/10"]);
    assert.deepEqual(await read("b/1", "b/2"), ["b/1", "b/10"], "the end is not included");
    assert.deepEqual(await read("c", "b"), []);
    assert.deepEqual(await database.get("a"), { key: "a" });
    assert.equal(await database.get("d"), undefined);
    await database.close();
  },
  "removes ranges before it puts entries": async (open) => {
    const database = await open();
    await database.write({ put: ["a", "b", "c"].map((key) => [key, 1]) });
    await database.write({ remove: [["a", "c"]], put: [["b", 2]] });
    assert.deepEqual(await database.read("", "d"), [
      ["b", 2],
      ["c", 1],
    ]);
    await database.close();
  },
  "stores copies of values, with their types": async (open) => {
    const database = await open();
    const value = { big: 2n ** 70n, bytes: new Uint8Array([1, 2]), list: [null, "é\ud800"], date: new Date(5), none: undefined };
    await database.write({ put: [["a", value]] });
    value.list.push("later");
    assert.deepEqual(await database.get("a"), { ...value, list: [null, "é\ud800"] });
    await database.close();
  },
  "changes nothing if a value cannot be stored": async (open) => {
    const database = await open();
    await database.write({ put: [["a", 1]] });
    const put = [
      ["b", 1],
      ["c", () => {}],
    ];
    await assert.rejects(database.write({ remove: [["a", "b"]], put }), { name: "DataCloneError" });
    assert.deepEqual(await database.read("", "z"), [["a", 1]]);
    await database.close();
  },
};
