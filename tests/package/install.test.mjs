// Tests of the packed package: its contents, its types, and its use in an empty project that installs it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { installPackage, run } from "./installation.mjs";

const ATTW = fileURLToPath(new URL("../node_modules/@arethetypeswrong/cli/dist/index.js", import.meta.url));
const TSC = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

const { packed, tarball, project } = installPackage();

const readManifest = () => JSON.parse(readFileSync(join(project, "node_modules/address-query/package.json"), "utf8"));

test("the tarball has all needed files, no others and no install scripts", () => {
  const files = packed.files.map(({ path }) => path);
  const { exports } = readManifest();
  const entryPoints = Object.values(exports).flatMap((entry) => (entry.types ? [entry.types, entry.default] : []));
  for (const path of [
    "LICENSE",
    "README.md",
    "SKILL.md",
    "THIRD-PARTY.md",
    "errors.md",
    "llms-full.txt",
    "llms.txt",
    "client.wasm",
    "client.wasm.d.ts",
    ...entryPoints.map((path) => path.replace("./", "")),
  ]) {
    assert.ok(files.includes(path), `${path} is missing`);
  }
  const unexpected = files.filter(
    (path) =>
      !/^(LICENSE|README\.md|THIRD-PARTY\.md|SKILL\.md|errors\.md|llms(-full)?\.txt|package\.json|client\.wasm|(\w+\/){0,2}[\w.-]+\.(js|js\.map|d\.ts))$/.test(
        path,
      ),
  );
  assert.deepEqual(unexpected, []);

  const manifest = readManifest();
  assert.notEqual(manifest.version, "0.0.0");
  for (const field of ["scripts", "dependencies", "peerDependencies"]) assert.equal(manifest[field], undefined, field);
});

test("the modules are readable, and their source maps contain the sources", () => {
  const root = join(project, "node_modules/address-query");
  const files = readdirSync(root, { recursive: true });
  const maps = files.filter((path) => path.endsWith(".js.map"));
  assert.ok(maps.length > 50);
  for (const path of maps) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(root, path), "utf8"));
    assert.deepEqual(sources, [basename(path).replace(".js.map", ".ts")]);
    assert.equal(sourcesContent?.length, 1, path);
  }
  // Two forms of the module are not meant to be readable.
  for (const path of files.filter((path) => path.endsWith(".js") && !/^(compat-)?module\.js$/.test(path))) {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    assert.ok(lines.length > 3 || lines.join("").length < 200, `${path} is minified`);
    if (!files.includes(`${path}.map`)) continue;
    assert.equal(lines.findLast(Boolean), `//# sourceMappingURL=${basename(path)}.map`);
  }
});

test("publint reports no problem", async () => {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const pack = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) };
  const { messages, pkg } = await publint({ pack, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

test("attw finds types for every entry point, as ES modules only", () => {
  const { analysis } = JSON.parse(run(execPath, [ATTW, tarball, "--profile", "esm-only", "--format", "json"], project));
  const { exports } = readManifest();
  assert.deepEqual(Object.keys(analysis.entrypoints).sort(), Object.keys(exports).sort());
});

test("importing loads no module, and a call works", () => {
  writeFileSync(
    join(project, "call.mjs"),
    `globalThis.fetch = () => { throw new Error("the global fetch was called instead of the fetch option"); };
     const { compile, instantiate } = WebAssembly;
     let loads = 0;
     WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: (...args) => (loads++, Reflect.construct(...args)) });
     WebAssembly.compile = (...args) => (loads++, compile(...args));
     WebAssembly.instantiate = (...args) => (loads++, instantiate(...args));
     const { AddressClient } = await import("address-query");
     const { createSampleService } = await import("address-query/testing");
     const service = createSampleService({ seed: 1 });
     const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
     const loadsBefore = loads;
     const page = await client.addresses();
     console.log(JSON.stringify({ loadsBefore, loads, items: page.items }));`,
  );
  const { loadsBefore, loads, items } = JSON.parse(run(execPath, ["call.mjs"], project));
  assert.equal(loadsBefore, 0, "the WebAssembly module was loaded before the first call");
  assert.ok(loads > 0);
  assert.ok(items.length > 1);
  for (const { hash } of items) assert.match(hash, /^0x[0-9a-fA-F]{40}$/);
});

for (const mode of ["bundler", "nodenext"]) {
  test(`types resolve with moduleResolution ${mode}`, () => {
    writeFileSync(
      join(project, "use.ts"),
      `import { AddressClient } from "address-query";
       import { createSampleService } from "address-query/testing";
       const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: createSampleService({ seed: 1 }).fetch });
       export const hashes: Promise<string[]> = client.addresses().toArray({ limit: 1 }).then((all) => all.map(({ hash }) => hash));`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      // The libraries of TypeScript take most of the time. The types of the package are checked.
      skipDefaultLibCheck: true,
      target: "es2022",
      lib: ["es2022", "dom"],
      types: [],
      module: mode === "nodenext" ? "nodenext" : "es2022",
      moduleResolution: mode,
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    run(execPath, [TSC], project);
  });
}
