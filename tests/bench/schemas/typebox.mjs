import Type from "typebox";
import { Compile } from "typebox/compile";
import { isFree, schemaOf } from "./derive.mjs";

const schema = (records, name) =>
  schemaOf(records, name, {
    record: Type.Object,
    nullish: (schema) => Type.Optional(Type.Union([schema, Type.Null()])),
    nullable: (schema) => Type.Union([schema, Type.Null()]),
    slot: {
      text: (pattern, format) => (isFree(format) ? Type.String() : Type.String({ pattern })),
      integer: () => Type.Integer(),
      boolean: () => Type.Boolean(),
      json: () => Type.Unknown(),
      object: () => Type.Record(Type.String(), Type.Unknown()),
      list: (element) => Type.Array(element),
    },
  });

/** A function that checks rows and gives them. */
export function typeboxRows(records, name) {
  const rowsSchema = Compile(Type.Array(schema(records, name)));
  return (rows) => {
    if (!rowsSchema.Check(rows)) throw new Error("does not fit");
    return rows;
  };
}
