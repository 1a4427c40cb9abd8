// What the contenders' schemas are made from: the declarations in src/types, with the same fields, formats and nulls, under
// the names that the measured answers use. What they check is the answer's own shape; only the decoder and the Rust contenders
// turn it into the shape that the package documents.

/** The formats of src/record/format.rs. An empty text stands for "unknown" where there is a format. */
export const PATTERNS = {
  address: "0x[0-9a-fA-F]{40}",
  hash: "0x[0-9a-fA-F]{64}",
  hexData: "0x(?:[0-9a-fA-F]{2})*",
  selector: "(?:0x)?[0-9a-fA-F]{8}|0x",
  quantity: "0x[0-9a-fA-F]+",
  uint: "[0-9]{1,100}",
  int: "-?[0-9]{1,100}",
  decimal: "-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,6})?",
  timestamp: "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?Z",
};

export const pattern = (format, nullable) => `^(?:${PATTERNS[format]})${nullable ? "?" : ""}$`;

/** Every record's fields as `[name in the answers, slot]`. `seen` holds the names that occur in the answers, per record. */
export function spelled(tables, seen) {
  const spell = (record, { names, slot }) => [names.find((name) => seen[record]?.includes(name)) ?? names[0], slot];
  return Object.fromEntries(Object.entries(tables).map(([record, fields]) => [record, fields.map((field) => spell(record, field))]));
}

/** Notes the names of members that occur in this value, per record. */
export function note(tables, record, value, seen = {}) {
  const visit = ({ kind, record, element }, value) => {
    if (value === null || value === undefined) return;
    if (kind === "list") value.forEach((member) => visit(element, member));
    if (kind === "record") note(tables, record, value, seen);
  };
  const names = (seen[record] ??= []);
  for (const name of Object.keys(value)) if (!names.includes(name)) names.push(name);
  for (const { names, slot } of tables[record]) visit(slot, value[names.find((name) => name in value)]);
  return seen;
}

/** Makes a library's schema of a record, each nested record once. */
export function schemaOf(records, name, { record, slot, nullish, nullable }) {
  const made = new Map();
  const build = ({ kind, format, nullable: isNullable, record: inside, element }) => {
    if (kind === "record") return of(inside);
    const inner = element && build(element);
    return slot[kind](kind === "list" ? (element.nullable ? nullable(inner) : inner) : pattern(format, isNullable), format);
  };
  const field = ([name, slot]) => [name, slot.nullable || slot.kind === "list" ? nullish(build(slot)) : build(slot)];
  const of = (name) => {
    if (!made.has(name)) made.set(name, record(Object.fromEntries(records[name].map(field))));
    return made.get(name);
  };
  return of(name);
}

export const isFree = (format) => format === "free";

/** The declarations of a record and of those within it. */
export function reachable(records, name, found = {}) {
  if (found[name]) return found;
  found[name] = records[name];
  for (const [, { kind, record, element }] of records[name]) {
    if (kind === "record") reachable(records, record, found);
    if (element?.kind === "record") reachable(records, element.record, found);
  }
  return found;
}
