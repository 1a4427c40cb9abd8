// The ways from an answer's bytes to its records.
import { typeboxRows } from "../schemas/typebox.mjs";
import { valibotRows } from "../schemas/valibot.mjs";
import { zodRows } from "../schemas/zod.mjs";

const decoder = new TextDecoder();

/** Bytes of an answer whose records fill the engine's place for new objects. */
const LARGE = 1e6;

/**
 * Each way's name, what it gives, and a function that gets it ready: `run` of an answer's bytes, waited for if `isAsync`. It
 * gives "unchecked" objects; those that were "sent", checked; or checked ones in the "given" shape, which is the documented
 * one whatever the service's version. All are compared with the first.
 */
const WAYS = [
  { name: "JSON.parse", shape: "unchecked", ready: ({ parse }) => parse },
  {
    name: "Response.json()",
    shape: "unchecked",
    isAsync: true,
    ready: ({ rows, bytes }) => async () => (await new Response(bytes).json())[rows],
  },
  {
    name: "address-query",
    shape: "given",
    async ready({ operation, bytes }, { decoderOf }) {
      const decoder = await decoderOf(operation);
      return () => decoder.decode(bytes).items;
    },
  },
  {
    name: "hand-written checks",
    shape: "sent",
    async ready({ parse, record }, { plain }) {
      const isRecord = (await plain())[`is${record}`];
      return () => {
        const made = parse();
        if (!made.every(isRecord)) throw new Error("does not fit");
        return made;
      };
    },
  },
  { name: "zod", shape: "sent", ready: bySchema(zodRows) },
  { name: "valibot", shape: "sent", ready: bySchema(valibotRows) },
  { name: "typebox, compiled", shape: "sent", ready: bySchema(typeboxRows) },
  {
    name: "serde-wasm-bindgen",
    shape: "given",
    async ready({ operation, bytes }, { rust }) {
      const { objects } = await rust();
      return () => objects(operation, bytes);
    },
  },
  {
    name: "serde_json text",
    shape: "given",
    async ready({ operation, bytes }, { rust }) {
      const { text } = await rust();
      return () => JSON.parse(text(operation, bytes));
    },
  },
];

function bySchema(rowsOf) {
  return ({ parse, record }, { records }) => {
    const check = rowsOf(records, record);
    return () => check(parse());
  };
}

/** The ways of these names, or all, ready to run on an answer: `{ operation, record, rows, bytes }`. */
export async function contenders(payload, tools, names) {
  const { rows, bytes } = payload;
  const parse = () => JSON.parse(decoder.decode(bytes))[rows];
  const made = [];
  for (const { ready, ...way } of WAYS.filter(({ name }) => names?.includes(name) ?? true)) {
    made.push({ ...way, isLarge: bytes.length > LARGE, run: await ready({ ...payload, parse }, tools) });
  }
  return made;
}

/** What the ways need, each made when it is first asked for. */
export async function toolsOf(assets) {
  const [tables, records] = await Promise.all(["tables.json", "records.json"].map(assets.json));
  return {
    tables,
    records,
    plain: () => assets.module("plain.js"),
    async decoderOf(operation) {
      const { bind } = await assets.module("parts/bindings.js");
      const { imports, start, classes } = bind();
      start((await WebAssembly.instantiate(await assets.bytes("pkg/client.wasm"), imports)).instance);
      return new classes.Bench(operation);
    },
    async rust() {
      const rust = await assets.module("rust/wasm.js");
      await rust.default({ module_or_path: await assets.bytes("rust/wasm_bg.wasm") });
      return rust;
    },
  };
}
