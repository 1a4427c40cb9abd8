// Values that anyone may have written: in names, metadata and URLs. A test puts them into the records of a service.
import assert from "node:assert/strict";

export const STRINGS = [
  ...["", "\0", "__proto__", "constructor", "null", "\ud800", "\udfff\ud83e", "\ufeff\uffff\ufffe", "\u202ereversed\u202c"],
  ...["line\u2028paragraph\u2029\r\n\t\u0085", '"quotes", \\ and </script>', "=HYPERLINK(1)", "../../etc/passwd", "%00%2f%ud800"],
  ...["javascript:alert(1)", "🦄".repeat(500)],
];
/** Integers beyond what a number, or 256 bits, can hold. */
const INTEGERS = ["0", "9007199254740993", String(2n ** 256n - 1n), "9".repeat(78), null];
/** JSON that a contract or the operator of an instance has written. */
const VALUES = [
  ...["null", "[]", "1e308", "5e-324", "123456789012345678901234567890", `${"[".repeat(100)}${"]".repeat(100)}`],
  '{"__proto__":{"polluted":true},"constructor":null,"":0,"\\ud800":"\\udfff"}',
  '{"__proto__":null,"toJSON":"x","then":1,"length":-1}',
  `"${"x".repeat(70_000)}"`,
].map((json) => JSON.parse(json));

const STRING_FIELDS = new Set(
  "name symbol icon_url ens_domain_name method error label display_name slug tagUrl method_call trait_type image_url".split(" "),
);
const INTEGER_FIELDS = new Set(["total_supply", "holders_count"]);
const FREE_FIELDS = new Set(["meta", "attributes", "unknown_field"]);

/** Replaces values of a record by hostile ones, which the seed selects. */
export function makeHostile(record, seed) {
  let next = seed;
  const pick = (values) => values[next++ % values.length];
  const replace = (value) => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => {
      if (STRING_FIELDS.has(name)) return [name, pick(STRINGS)];
      if (INTEGER_FIELDS.has(name)) return [name, pick(INTEGERS)];
      return [name, FREE_FIELDS.has(name) ? pick(VALUES) : replace(member)];
    });
    return Object.fromEntries(members);
  };
  return replace(record);
}

/** Checks that these events have every hostile value. */
export function assertHostile(events) {
  const json = JSON.stringify(events);
  for (const value of [...STRINGS, ...INTEGERS, ...VALUES]) {
    // A record has replacement characters instead of lone surrogates.
    const expected = JSON.stringify(value).replace(/\\ud[8-f]../g, "\ufffd");
    assert.ok(json.includes(expected), expected.slice(0, 80));
  }
  assert.equal({}.polluted, undefined);
}
