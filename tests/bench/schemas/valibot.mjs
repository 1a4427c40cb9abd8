import * as v from "valibot";
import { isFree, schemaOf } from "./derive.mjs";

const schema = (records, name) =>
  schemaOf(records, name, {
    record: v.object,
    nullish: (schema) => v.nullish(schema),
    nullable: (schema) => v.nullable(schema),
    slot: {
      text: (pattern, format) => (isFree(format) ? v.string() : v.pipe(v.string(), v.regex(new RegExp(pattern)))),
      integer: () => v.pipe(v.number(), v.safeInteger()),
      boolean: () => v.boolean(),
      json: () => v.unknown(),
      object: () => v.record(v.string(), v.unknown()),
      list: (element) => v.array(element),
    },
  });

/** A function that checks rows and gives them. */
export function valibotRows(records, name) {
  const rowsSchema = v.array(schema(records, name));
  return (rows) => v.parse(rowsSchema, rows);
}
