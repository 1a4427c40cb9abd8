// The contenders that decode the bytes of a response into records.
import { createTypeboxValidator } from "../schemas/typebox.mjs";
import { createValibotValidator } from "../schemas/valibot.mjs";
import { createZodValidator } from "../schemas/zod.mjs";

const decoder = new TextDecoder();

/** Responses of more bytes fill the memory that the engine reserves for new objects. */
const LARGE_BYTES = 1e6;

/**
 * Every contender: its name, its result, and `prepare`, which returns a function that decodes the response. `isAsync`
 * functions return a promise. The result is one of:
 *
 * - "unchecked": the objects of the response,
 * - "validated": the objects of the response, with every field checked,
 * - "normalized": checked records in the documented shape, which does not depend on the service's version.
 */
const CONTENDERS = [
  { name: "JSON.parse", result: "unchecked", prepare: ({ parse }) => parse },
  {
    name: "Response.json()",
    result: "unchecked",
    isAsync: true,
    prepare:
      ({ rows, bytes }) =>
      async () =>
        (await new Response(bytes).json())[rows],
  },
  {
    name: "address-query",
    result: "normalized",
    async prepare({ operation, bytes }, { createDecoder }) {
      const decoder = await createDecoder(operation);
      return () => decoder.decode(bytes).items;
    },
  },
  {
    name: "hand-written checks",
    result: "validated",
    async prepare({ parse, record }, { loadHandWritten }) {
      const isRecord = (await loadHandWritten())[`is${record}`];
      return () => {
        const records = parse();
        if (!records.every(isRecord)) throw new Error("a record is invalid");
        return records;
      };
    },
  },
  { name: "zod", result: "validated", prepare: prepareValidator(createZodValidator) },
  { name: "valibot", result: "validated", prepare: prepareValidator(createValibotValidator) },
  { name: "typebox, compiled", result: "validated", prepare: prepareValidator(createTypeboxValidator) },
  {
    name: "serde-wasm-bindgen",
    result: "normalized",
    async prepare({ operation, bytes }, { loadRust }) {
      const { decode_to_objects } = await loadRust();
      return () => decode_to_objects(operation, bytes);
    },
  },
  {
    name: "serde_json string",
    result: "normalized",
    async prepare({ operation, bytes }, { loadRust }) {
      const { decode_to_json } = await loadRust();
      return () => JSON.parse(decode_to_json(operation, bytes));
    },
  },
];

function prepareValidator(createValidator) {
  return ({ parse, record }, { records }) => {
    const validate = createValidator(records, record);
    return () => validate(parse());
  };
}

/** Prepares the contenders with these names, or all, for a response: `{ operation, record, rows, bytes }`. */
export async function prepareContenders(payload, tools, names) {
  const { rows, bytes } = payload;
  const parse = () => JSON.parse(decoder.decode(bytes))[rows];
  const contenders = [];
  for (const { prepare, ...contender } of CONTENDERS.filter(({ name }) => names?.includes(name) ?? true)) {
    contenders.push({ ...contender, isLarge: bytes.length > LARGE_BYTES, run: await prepare({ ...payload, parse }, tools) });
  }
  return contenders;
}

/** Loads what the contenders need. Functions load the rest on first use. */
export async function loadTools(assets) {
  const [tables, records] = await Promise.all(["tables.json", "records.json"].map(assets.json));
  return {
    tables,
    records,
    loadHandWritten: () => assets.module("hand-written.js"),
    async createDecoder(operation) {
      const { bind } = await assets.module("parts/bindings.js");
      const { imports, start, classes } = bind();
      start((await WebAssembly.instantiate(await assets.bytes("pkg/client.wasm"), imports)).instance);
      return new classes.Bench(operation);
    },
    async loadRust() {
      const rust = await assets.module("rust/wasm.js");
      await rust.default({ module_or_path: await assets.bytes("rust/wasm_bg.wasm") });
      return rust;
    },
  };
}
