// Verifies that a comparison is fair: all contenders return the same data, and all that validate reject an invalid record.

/** Throws unless all contenders return the records of the response, and only those without validation accept an invalid hash. */
export async function verifyContenders(payload, prepare, { records, tables }) {
  const contenders = await prepare(payload);
  const sent = JSON.parse(new TextDecoder().decode(payload.bytes))[payload.rows];
  const normalized = contenders.find(({ name }) => name === "serde_json string").run();
  sent.forEach((row, i) => assertNormalized(tables, records, payload.record, normalized[i], row, `[${i}]`));
  for (const { name, result, run } of contenders) {
    assertSame(parseRawValues(await run()), result === "normalized" ? normalized : sent, `${payload.name}: ${name}`);
  }
  const invalid = { ...payload, bytes: createInvalidResponse(payload, records) };
  for (const { name, result, run } of await prepare(invalid)) {
    const isRejected = await Promise.resolve()
      .then(run)
      .then(
        () => false,
        () => true,
      );
    if (isRejected !== (result !== "unchecked"))
      throw new Error(`${payload.name}: ${name} ${isRejected ? "rejected" : "accepted"} an invalid hash`);
  }
}

/** Creates the same response with an invalid digit in an address or hash of the last record. */
function createInvalidResponse({ bytes, rows, record }, records) {
  const response = JSON.parse(new TextDecoder().decode(bytes));
  const invalidateHash = (record, value) => {
    for (const [name, { kind, format, record: nested }] of records[record]) {
      if (kind === "string" && (format === "address" || format === "hash") && value[name]) {
        value[name] = value[name].replace(/..$/, "g0");
        return true;
      }
      if (kind === "record" && value[name] && invalidateHash(nested, value[name])) return true;
    }
    return false;
  };
  if (!invalidateHash(record, response[rows].at(-1))) throw new Error("the response has no hash");
  return new TextEncoder().encode(JSON.stringify(response));
}

/** Throws unless every field of a normalized record has the value of the sent one. */
function assertNormalized(tables, records, record, normalized, sent, path) {
  tables[record].forEach(({ names: [name], slot }, i) => {
    const value = sent[records[record][i][0]];
    if (value !== undefined) assertNormalizedValue(tables, records, slot, normalized[name], value, `${path}.${name}`);
  });
}

function assertNormalizedValue(tables, records, slot, normalized, sent, path) {
  if (sent === null || (sent === "" && slot.format !== "free") || (sent === "0x" && slot.format === "selector")) {
    if (normalized !== null && !(Array.isArray(normalized) && normalized.length === 0)) throw new Error(`${path}: expected null`);
  } else if (slot.kind === "record") {
    assertNormalized(tables, records, slot.record, normalized, sent, path);
  } else if (slot.kind === "list") {
    sent.forEach((value, i) => assertNormalizedValue(tables, records, slot.element, normalized[i], value, `${path}[${i}]`));
  } else {
    assertSame(normalized, sent, path);
  }
}

/** The member in which serde-wasm-bindgen returns free-form JSON as a string. */
const RAW_VALUE = "$serde_json::private::RawValue";

function parseRawValues(value) {
  if (typeof value !== "object" || value === null) return value;
  if (RAW_VALUE in value) return JSON.parse(value[RAW_VALUE]);
  for (const name of Object.keys(value)) value[name] = parseRawValues(value[name]);
  return value;
}

/** Throws unless two JSON values are deeply equal. The order of members does not matter. */
function assertSame(value, expected, path) {
  if (value === expected) return;
  const isObject = (candidate) => typeof candidate === "object" && candidate !== null;
  if (!isObject(value) || !isObject(expected) || Array.isArray(value) !== Array.isArray(expected)) {
    throw new Error(`${path}: got ${JSON.stringify(value)}, expected ${JSON.stringify(expected)}`);
  }
  const names = Object.keys(expected);
  if (Object.keys(value).length !== names.length)
    throw new Error(`${path}: got members ${Object.keys(value)}, expected ${names}`);
  for (const name of names) assertSame(value[name], expected[name], `${path}.${name}`);
}
