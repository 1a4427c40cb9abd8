// The package's types as projects see them: the type tests and every documented example, with each TypeScript that is
// supported and both ways to resolve modules. Prints a line each.
//
// The projects are made in target/types, where the package is found by its name, through its `exports`.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { examplesOf } from "./examples.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../..");
const TOOLS = join(HERE, "../node_modules");
const OUT = join(ROOT, "target/types");

// The current TypeScript and the two before it.
const COMPILERS = ["typescript-7", "typescript-6", "typescript"];
const RESOLUTIONS = [["es2022", "bundler"], ["nodenext", "nodenext"]];
// The libraries that projects compile with. Only the first one has all that the tests and examples use.
const LIBRARIES = [
  { name: "DOM" },
  { name: "no DOM", lib: ["ES2022"], include: ["no-dom.ts"] },
  { name: "WebWorker", lib: ["ES2022", "WebWorker"], include: ["no-dom.ts"] },
];
// Where examples are documented; the package's declarations are looked through as well.
const DOCUMENTS = ["README.md", "pkg-template/README.md"];

rmSync(OUT, { recursive: true, force: true });
mkdirSync(join(OUT, "node_modules/@tanstack"), { recursive: true });
symlinkSync(join(ROOT, "pkg"), join(OUT, "node_modules/address-query"));
symlinkSync(join(TOOLS, "@tanstack/query-core"), join(OUT, "node_modules/@tanstack/query-core"));
writeFileSync(join(OUT, "package.json"), JSON.stringify({ private: true, type: "module" }));
for (const name of readdirSync(HERE)) if (/\.tsx?$/.test(name)) cpSync(join(HERE, name), join(OUT, name));
writeExamples();

let failed = false;
for (const compiler of COMPILERS) {
  for (const [module, moduleResolution] of RESOLUTIONS) {
    for (const { name, ...library } of LIBRARIES) {
      const config = `tsconfig.${moduleResolution}.json`;
      const { compilerOptions, include } = JSON.parse(readFileSync(join(HERE, "tsconfig.json"), "utf8"));
      const lib = library.lib ?? compilerOptions.lib;
      const project = { compilerOptions: { ...compilerOptions, lib, module, moduleResolution }, include: library.include ?? include };
      writeFileSync(join(OUT, config), JSON.stringify(project));
      const { version } = JSON.parse(readFileSync(join(TOOLS, compiler, "package.json"), "utf8"));
      const { status, stdout, stderr } = spawnSync(execPath, [join(TOOLS, compiler, "bin/tsc"), "-p", config, "--pretty", "false"], { cwd: OUT, encoding: "utf8" });
      console.log(`${status === 0 ? "passed" : "failed"} TypeScript ${version}, ${moduleResolution}, ${name}`);
      if (status !== 0) console.log(stdout + stderr);
      failed ||= status !== 0;
    }
  }
}
if (failed) process.exitCode = 1;

function writeExamples() {
  mkdirSync(join(OUT, "examples"));
  const declarations = readdirSync(join(ROOT, "pkg"), { recursive: true }).filter((path) => path.endsWith(".d.ts"));
  let count = 0;
  for (const document of [...DOCUMENTS, ...declarations.map((path) => join("pkg", path))]) {
    const examples = examplesOf(readFileSync(join(ROOT, document), "utf8"));
    if (DOCUMENTS.includes(document) && examples.length === 0) throw new Error(`${document} has no examples`);
    for (const { line, language, code } of examples) {
      const name = `${document.replaceAll(/[^\w]+/g, "-")}-line-${line}.${language === "tsx" ? "tsx" : "ts"}`;
      writeFileSync(join(OUT, "examples", name), `${code}\nexport {};\n`);
      count += 1;
    }
  }
  console.log(`${count} examples`);
}
