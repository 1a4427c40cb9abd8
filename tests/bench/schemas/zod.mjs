// Schemas and validation with zod.
import * as z from "zod";
import { isFreeForm, createSchema } from "./derive.mjs";

const createRecordSchema = (records, name) =>
  createSchema(records, name, {
    record: z.object,
    nullish: (schema) => schema.nullish(),
    nullable: (schema) => schema.nullable(),
    slot: {
      string: (pattern, format) => (isFreeForm(format) ? z.string() : z.string().regex(new RegExp(pattern))),
      integer: () => z.int(),
      boolean: () => z.boolean(),
      json: () => z.unknown(),
      object: () => z.record(z.string(), z.unknown()),
      list: (element) => z.array(element),
    },
  });

/** Creates a function that validates rows and returns them. */
export function createZodValidator(records, name) {
  const rowsSchema = z.array(createRecordSchema(records, name));
  return (rows) => rowsSchema.parse(rows);
}
