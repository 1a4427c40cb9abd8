import * as z from "zod";
import { isFree, schemaOf } from "./derive.mjs";

const schema = (records, name) =>
  schemaOf(records, name, {
    record: z.object,
    nullish: (schema) => schema.nullish(),
    nullable: (schema) => schema.nullable(),
    slot: {
      text: (pattern, format) => (isFree(format) ? z.string() : z.string().regex(new RegExp(pattern))),
      integer: () => z.int(),
      boolean: () => z.boolean(),
      json: () => z.unknown(),
      object: () => z.record(z.string(), z.unknown()),
      list: (element) => z.array(element),
    },
  });

/** A function that checks rows and gives them. */
export function zodRows(records, name) {
  const rowsSchema = z.array(schema(records, name));
  return (rows) => rowsSchema.parse(rows);
}
