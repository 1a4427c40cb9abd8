// Schemas and validation with typebox.
import Type from "typebox";
import { Compile } from "typebox/compile";
import { isFreeForm, createSchema } from "./derive.mjs";

const createRecordSchema = (records, name) =>
  createSchema(records, name, {
    record: Type.Object,
    nullish: (schema) => Type.Optional(Type.Union([schema, Type.Null()])),
    nullable: (schema) => Type.Union([schema, Type.Null()]),
    slot: {
      string: (pattern, format) => (isFreeForm(format) ? Type.String() : Type.String({ pattern })),
      integer: () => Type.Integer(),
      boolean: () => Type.Boolean(),
      json: () => Type.Unknown(),
      object: () => Type.Record(Type.String(), Type.Unknown()),
      list: (element) => Type.Array(element),
    },
  });

/** Creates a function that validates rows and returns them. */
export function createTypeboxValidator(records, name) {
  const rowsSchema = Compile(Type.Array(createRecordSchema(records, name)));
  return (rows) => {
    if (!rowsSchema.Check(rows)) throw new Error("a row is invalid");
    return rows;
  };
}
