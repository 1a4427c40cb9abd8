// Derives the schemas of the contenders from the declarations in src/types: the same fields, formats and nullability.
//
// The schemas validate the shape of the responses, under the names that they use. Only the decoder of the package and the Rust
// contenders convert them to the documented shape.

/** A pattern per format of src/record/format.rs. */
export const PATTERNS = {
  address: "0x[0-9a-fA-F]{40}",
  hash: "0x[0-9a-fA-F]{64}",
  hexData: "0x(?:[0-9a-fA-F]{2})*",
  selector: "(?:0x)?[0-9a-fA-F]{8}|0x",
  quantity: "0x[0-9a-fA-F]+",
  uint: "[0-9]{1,100}",
  int: "-?[0-9]{1,100}",
  decimal: "-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,6})?",
  date: "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
  timestamp:
    "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?Z",
};

/** The regular expression of a field. A nullable one also accepts an empty string, which means "unknown". */
export const getPattern = (format, isNullable) => `^(?:${PATTERNS[format]})${isNullable ? "?" : ""}$`;

export const isFreeForm = (format) => format === "free";

/** Resolves the fields of all records to `[name in the responses, slot]`, with the result of `collectMemberNames`. */
export function resolveNames(tables, memberNames) {
  const resolveName = (record, names) => names.find((name) => memberNames[record]?.includes(name)) ?? names[0];
  const resolveFields = (record, fields) => fields.map(({ names, slot }) => [resolveName(record, names), slot]);
  return Object.fromEntries(Object.entries(tables).map(([record, fields]) => [record, resolveFields(record, fields)]));
}

/** Collects the names of the members that occur in a value, per record. */
export function collectMemberNames(tables, record, value, memberNames = {}) {
  const visit = ({ kind, record, element }, value) => {
    if (value === null || value === undefined) return;
    if (kind === "list") value.forEach((member) => visit(element, member));
    if (kind === "record") collectMemberNames(tables, record, value, memberNames);
  };
  memberNames[record] ??= [];
  const names = memberNames[record];
  for (const name of Object.keys(value)) if (!names.includes(name)) names.push(name);
  for (const { names, slot } of tables[record]) visit(slot, value[names.find((name) => name in value)]);
  return memberNames;
}

/** Creates a library's schema of a record. The last argument has a function per kind of schema. */
export function createSchema(records, name, { record, slot, nullish, nullable }) {
  const schemas = new Map();
  const createSlot = ({ kind, format, nullable: isNullable, record: nested, element }) => {
    if (kind === "record") return createRecord(nested);
    const elementSchema = element && createSlot(element);
    return slot[kind](
      kind === "list" ? (element.nullable ? nullable(elementSchema) : elementSchema) : getPattern(format, isNullable),
      format,
    );
  };
  const createField = ([name, slot]) => [
    name,
    slot.nullable || slot.kind === "list" ? nullish(createSlot(slot)) : createSlot(slot),
  ];
  const createRecord = (name) => {
    if (!schemas.has(name)) schemas.set(name, record(Object.fromEntries(records[name].map(createField))));
    return schemas.get(name);
  };
  return createRecord(name);
}

/** Collects the declarations of a record and of all records nested in it. */
export function collectNestedRecords(records, name, collected = {}) {
  if (collected[name]) return collected;
  collected[name] = records[name];
  for (const [, { kind, record, element }] of records[name]) {
    if (kind === "record") collectNestedRecords(records, record, collected);
    if (element?.kind === "record") collectNestedRecords(records, element.record, collected);
  }
  return collected;
}
