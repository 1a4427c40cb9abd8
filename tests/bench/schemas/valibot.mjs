// Schemas and validation with valibot.
import * as v from "valibot";
import { isFreeForm, createSchema } from "./derive.mjs";

const createRecordSchema = (records, name) =>
  createSchema(records, name, {
    record: v.object,
    nullish: (schema) => v.nullish(schema),
    nullable: (schema) => v.nullable(schema),
    slot: {
      string: (pattern, format) => (isFreeForm(format) ? v.string() : v.pipe(v.string(), v.regex(new RegExp(pattern)))),
      integer: () => v.pipe(v.number(), v.safeInteger()),
      boolean: () => v.boolean(),
      json: () => v.unknown(),
      object: () => v.record(v.string(), v.unknown()),
      list: (element) => v.array(element),
    },
  });

/** Creates a function that validates rows and returns them. */
export function createValibotValidator(records, name) {
  const rowsSchema = v.array(createRecordSchema(records, name));
  return (rows) => v.parse(rowsSchema, rows);
}
