// The step of the build that adapts the bindings of wasm-bindgen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptToArrayBuffer, createBind } from "../../pkg-template/build/bindings.mjs";

const SOURCE = `
export class Counter {
    next() { return wasm.counter_next(); }
}
export function __wbg_now_0123456789abcdef() {
    return ++calls;
}
let calls = 0;
let wasm;
export function __wbg_set_wasm(val) {
    wasm = val;
}`;
const NAMES = { imports: [["./wasm_bg.js", "__wbg_now_0123456789abcdef", "b"]], exports: [["counter_next", "c"]] };

test("each call of bind creates a separate state, with the short names", async () => {
  const script = createBind(SOURCE, JSON.stringify(NAMES));
  const { bind } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  const create = () => {
    const { imports, start, classes } = bind();
    start({ exports: { c: imports.a.b } });
    return new classes.Counter();
  };
  const [first, second] = [create(), create()];
  assert.deepEqual([first.next(), first.next(), second.next()], [1, 2, 1]);
});

test("unexpected bindings fail with the name of the file to adapt", () => {
  const unexpected = [
    () => createBind(SOURCE.replace("__wbg_set_wasm", "__wbg_set"), JSON.stringify(NAMES)),
    () => createBind(SOURCE.replace("export class", "class"), JSON.stringify(NAMES)),
    () => createBind(SOURCE.replace("__wbg_now_", "__wbg_later_"), JSON.stringify(NAMES)),
    () => adaptToArrayBuffer(SOURCE),
  ];
  for (const adapt of unexpected) assert.throws(adapt, /adapt pkg-template\/build\/bindings\.mjs \(see HACKING\.md beside it\)/);
  assert.throws(() => createBind(`${SOURCE}\nexport { calls };`, JSON.stringify(NAMES)), /Transform failed/);
});
