// What makes the comparison fair: all contenders give the same, and all that check refuse what does not fit.

/** Throws unless every contender's records are those of the answer, and every checking one refuses a hash that is none. */
export async function verify(payload, make, { records, tables }) {
  const all = await make(payload);
  const sent = JSON.parse(new TextDecoder().decode(payload.bytes))[payload.rows];
  const given = all.find(({ name }) => name === "serde_json text").run();
  sent.forEach((row, i) => assertMeans(tables, records, payload.record, given[i], row, `[${i}]`));
  for (const { name, shape, run } of all) {
    assertSame(unpacked(await run()), shape === "given" ? given : sent, `${payload.name}: ${name}`);
  }
  const broken = { ...payload, bytes: damaged(payload, records) };
  for (const { name, shape, run } of await make(broken)) {
    const refused = await Promise.resolve().then(run).then(() => false, () => true);
    if (refused !== (shape !== "unchecked")) throw new Error(`${payload.name}: ${name} ${refused ? "refused" : "took"} a damaged hash`);
  }
}

/** The same answer, but an address or hash of the last record has a digit that is none. */
function damaged({ bytes, rows, record }, records) {
  const answer = JSON.parse(new TextDecoder().decode(bytes));
  const spoil = (record, value) => {
    for (const [name, { kind, format, record: inner }] of records[record]) {
      if (kind === "text" && (format === "address" || format === "hash") && value[name]) {
        value[name] = value[name].replace(/..$/, "g0");
        return true;
      }
      if (kind === "record" && value[name] && spoil(inner, value[name])) return true;
    }
    return false;
  };
  if (!spoil(record, answer[rows].at(-1))) throw new Error("no hash in this answer");
  return new TextEncoder().encode(JSON.stringify(answer));
}

/** The record in the documented shape says what the sent one says, field by field. */
function assertMeans(tables, records, record, given, sent, path) {
  tables[record].forEach(({ names, slot }, i) => {
    const [name] = names;
    const here = `${path}.${name}`;
    const value = sent[records[record][i][0]];
    if (value === undefined) return;
    assertMeansValue(tables, records, slot, given[name], value, here);
  });
}

function assertMeansValue(tables, records, slot, given, sent, path) {
  if (sent === null || (sent === "" && slot.format !== "free") || (sent === "0x" && slot.format === "selector")) {
    if (given !== null && !(Array.isArray(given) && given.length === 0)) throw new Error(`${path}: not null`);
  } else if (slot.kind === "record") assertMeans(tables, records, slot.record, given, sent, path);
  else if (slot.kind === "list") sent.forEach((value, i) => assertMeansValue(tables, records, slot.element, given[i], value, `${path}[${i}]`));
  else assertSame(given, sent, path);
}

/** serde-wasm-bindgen hands free JSON over as its text, in an object with this one member. */
const RAW = "$serde_json::private::RawValue";

function unpacked(value) {
  if (typeof value !== "object" || value === null) return value;
  if (RAW in value) return JSON.parse(value[RAW]);
  for (const name of Object.keys(value)) value[name] = unpacked(value[name]);
  return value;
}

/** Deep equality of JSON values; the order of members is of no account. */
function assertSame(value, wanted, path) {
  if (value === wanted) return;
  const isObject = (it) => typeof it === "object" && it !== null;
  if (!isObject(value) || !isObject(wanted) || Array.isArray(value) !== Array.isArray(wanted)) {
    throw new Error(`${path}: ${JSON.stringify(value)} is not ${JSON.stringify(wanted)}`);
  }
  const names = Object.keys(wanted);
  if (Object.keys(value).length !== names.length) throw new Error(`${path}: members ${Object.keys(value)}, not ${names}`);
  for (const name of names) assertSame(value[name], wanted[name], `${path}.${name}`);
}
