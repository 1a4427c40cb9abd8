// Compiles the type tests and every documented example with the current version of TypeScript and both module resolutions, and with
// `--all` with each supported version. Prints a line per combination.
//
// The project is created in target/types. It imports the package by name, so that the `exports` of its package.json apply.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { DOCUMENTS, REFERENCE_PAGES, ROOT } from "../documents.mjs";
import { extractExamples } from "./examples.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const NODE_MODULES = join(HERE, "../node_modules");
const OUT = join(ROOT, "target/types");

// The current version of TypeScript and the two before it.
const SUPPORTED = ["typescript-7", "typescript-6", "typescript"];
const COMPILERS = argv.includes("--all") ? SUPPORTED : SUPPORTED.slice(0, 1);
const RESOLUTIONS = [
  ["es2022", "bundler"],
  ["nodenext", "nodenext"],
];
// The TypeScript libraries to compile with. The examples and most tests need the DOM library.
const LIBRARIES = [
  { name: "DOM" },
  { name: "no DOM", lib: ["ES2022"], include: ["no-dom.ts"] },
  { name: "WebWorker", lib: ["ES2022", "WebWorker"], include: ["no-dom.ts"] },
];

rmSync(OUT, { recursive: true, force: true });
mkdirSync(join(OUT, "node_modules/@tanstack"), { recursive: true });
symlinkSync(join(ROOT, "pkg"), join(OUT, "node_modules/address-query"));
symlinkSync(join(NODE_MODULES, "@tanstack/query-core"), join(OUT, "node_modules/@tanstack/query-core"));
// The part of @tanstack/react-query that the examples use.
mkdirSync(join(OUT, "node_modules/@tanstack/react-query"));
writeFileSync(join(OUT, "node_modules/@tanstack/react-query/package.json"), '{ "type": "module", "types": "./index.d.ts" }');
writeFileSync(
  join(OUT, "node_modules/@tanstack/react-query/index.d.ts"),
  `import type { DefaultError, InfiniteData, InfiniteQueryObserverOptions, QueryClient, QueryKey, QueryObserverOptions } from "@tanstack/query-core";
   export { QueryClient } from "@tanstack/query-core";
   export declare function QueryClientProvider(props: { client: QueryClient; children?: unknown }): unknown;
   export declare function useInfiniteQuery<Page, Param>(
     options: InfiniteQueryObserverOptions<Page, DefaultError, InfiniteData<Page, Param>, QueryKey, Param>,
   ): {
     data: InfiniteData<Page, Param> | undefined;
     error: DefaultError | null;
     fetchNextPage(): Promise<unknown>;
     hasNextPage: boolean;
     isFetching: boolean;
   };
   export declare function useQuery<Result>(
     options: QueryObserverOptions<Result>,
   ): { data: Result | undefined; error: DefaultError | null; isFetching: boolean };`,
);
// The part of React that they use.
mkdirSync(join(OUT, "node_modules/react"));
writeFileSync(join(OUT, "node_modules/react/package.json"), '{ "type": "module", "types": "./index.d.ts" }');
writeFileSync(
  join(OUT, "node_modules/react/index.d.ts"),
  `export declare function useEffect(effect: () => void | (() => void), dependencies: readonly unknown[]): void;
   export declare function useRef<T>(initial: T | null): { current: T | null };
   export declare function useState<T>(initial: T): [T, (value: T) => void];`,
);
writeFileSync(join(OUT, "package.json"), JSON.stringify({ private: true, type: "module" }));
for (const name of readdirSync(HERE)) if (/\.tsx?$/.test(name)) cpSync(join(HERE, name), join(OUT, name));
writeExamples();

let hasFailed = false;
for (const compiler of COMPILERS) {
  for (const [module, moduleResolution] of RESOLUTIONS) {
    for (const { name, ...library } of LIBRARIES) {
      const config = `tsconfig.${moduleResolution}.json`;
      const { compilerOptions, include } = JSON.parse(readFileSync(join(HERE, "tsconfig.json"), "utf8"));
      const lib = library.lib ?? compilerOptions.lib;
      const project = {
        compilerOptions: { ...compilerOptions, lib, module, moduleResolution },
        include: library.include ?? include,
      };
      writeFileSync(join(OUT, config), JSON.stringify(project));
      const { version } = JSON.parse(readFileSync(join(NODE_MODULES, compiler, "package.json"), "utf8"));
      const { status, stdout, stderr } = spawnSync(
        execPath,
        [join(NODE_MODULES, compiler, "bin/tsc"), "-p", config, "--pretty", "false"],
        { cwd: OUT, encoding: "utf8" },
      );
      console.log(`${status === 0 ? "passed" : "failed"} TypeScript ${version}, ${moduleResolution}, ${name}`);
      if (status !== 0) console.log(stdout + stderr);
      hasFailed ||= status !== 0;
    }
  }
}
if (hasFailed) process.exitCode = 1;

/** Writes every example as a module of the project. */
function writeExamples() {
  mkdirSync(join(OUT, "examples"));
  const declarations = readdirSync(join(ROOT, "pkg"), { recursive: true }).filter((path) => path.endsWith(".d.ts"));
  let count = 0;
  for (const document of [...DOCUMENTS, ...REFERENCE_PAGES, ...declarations.map((path) => join("pkg", path))]) {
    const examples = extractExamples(readFileSync(join(ROOT, document), "utf8"));
    if (/README|\/api-/.test(document) && examples.length === 0) throw new Error(`${document} has no examples`);
    for (const [index, { line, language, code, isContinued }] of examples.entries()) {
      const file = isContinued ? `${examples[index - 1].code}\n${code}` : code;
      const name = `${document.replaceAll(/[^\w]+/g, "-")}-line-${line}.${language === "tsx" ? "tsx" : "ts"}`;
      writeFileSync(join(OUT, "examples", name), `${file}\nexport {};\n`);
      count += 1;
    }
  }
  console.log(`${count} examples`);
}
