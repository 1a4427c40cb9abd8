// Applies the diffs of CONTRIBUTING.md to a copy of the sources, and checks that they are whole changes: the copy compiles, its
// declarations pass the tests, and the generated types have what the diffs add.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONTRIBUTING = join(ROOT, ".github/CONTRIBUTING.md");
const WORK = join(ROOT, "target/contribute");
const COPY = join(WORK, "sources");
const TYPES = join(WORK, "types");

/** The most files and added lines of each change. */
const LIMITS = {
  "Add a field": { files: 1, lines: 2 },
  "Add a list": { files: 1, lines: 12 },
  "Add a tab to the demo page": { files: 1, lines: 20 },
  "Add a list with a new record": { files: 4 },
  "Add an option": { files: 2 },
  "Add an error code": { files: 2 },
  "Add a member to the report of a range": { files: 2, lines: 3 },
  "Add a page to the demo page": { files: 2, lines: 35 },
  "Add a chart to the demo page": { files: 2, lines: 15 },
};

/** The native tests that check declarations and the decoding of fixtures. */
const NATIVE_TESTS = [
  "declarations::",
  "fixtures::decoder_and_serde",
  "client::options::",
  "client::requests::",
  "range::requests",
];

/** Uses what the diffs add. */
const USE = `
import { AddressClient, keyOf, type CoinBalanceChange, type ErrorCode, type RangeReport } from "address-query";

const client = new AddressClient({ baseUrl: "https://blockscout.example" });
const list = await client.beaconDeposits({}, { reload: true });
export const index: number | undefined = list.items[0]?.index;
const [blob] = await client.transactionBlobs({ transaction_hash: "0x00" }).toArray({ limit: 1 });
export const proof: string | null | undefined = blob?.kzg_proof;
export const key: string = blob ? keyOf(blob) : "";
export const count = (change: CoinBalanceChange): number | null => change.transactions_count;
export const code: ErrorCode = "maintenance";
export const pages = (report: RangeReport): number => report.oversizedPages;
`;

test("the diffs of CONTRIBUTING.md are whole changes", { timeout: 600_000 }, async (context) => {
  const changes = readChanges(readFileSync(CONTRIBUTING, "utf8"));
  assert.deepEqual(
    changes.map(({ title }) => title),
    Object.keys(LIMITS),
  );
  copySources();
  for (const { title, files } of changes) {
    await context.test(`${title}: can be applied, and is small`, () => {
      const lines =
        files.flatMap(({ hunks }) => hunks.flatMap(({ after }) => after)).length -
        files.flatMap(({ hunks }) => hunks.flatMap(({ before }) => before)).length;
      const limit = LIMITS[title];
      assert.ok(files.length <= limit.files && lines <= (limit.lines ?? Infinity), `${files.length} files, ${lines} more lines`);
      for (const file of files) applyTo(file);
    });
  }
  await context.test("the declarations pass the native tests", () =>
    run("cargo", "test", "--quiet", "--locked", "--test", "native", "--", ...NATIVE_TESTS),
  );
  await context.test("the demo page compiles", () =>
    run(execPath, join(ROOT, "www/node_modules/typescript/bin/tsc"), "--project", "www", "--pretty", "false"),
  );
  await context.test("the generated types have what was added", () => {
    createTypesProject();
    run("cargo", "run", "--quiet", "--locked", "--bin", "generate", "--", join(TYPES, "node_modules/address-query"));
    run(execPath, join(ROOT, "tests/node_modules/typescript/bin/tsc"), "-p", TYPES, "--pretty", "false");
  });
});

/** Reads the diffs in the page, then the files that it links to: the title of each, and its files with their hunks. */
function readChanges(page) {
  const shown = Array.from(page.matchAll(/^\*\*(.+?)\*\*[^]*?^```diff\n([^]*?)^```$/gm), ([, title, diff]) => [title, diff]);
  const linked = Array.from(page.matchAll(/\[(.+?)\]\((.+?\.diff)\)/g), ([, title, path]) => [
    title,
    readFileSync(join(dirname(CONTRIBUTING), path), "utf8"),
  ]);
  return [...shown, ...linked].map(([title, diff]) => ({ title, files: diff.split(/^--- /m).slice(1).map(readFile) }));
}

/** Reads the diff of a file: its path, and its hunks. */
function readFile(text) {
  const [first, ...hunks] = text.split(/^@@\n/m);
  return { path: first.trim(), hunks: hunks.map(readHunk) };
}

/** Reads a hunk as the lines before and after the change. */
function readHunk(text) {
  const lines = text.replace(/\n$/, "").split("\n");
  const select = (marker) => lines.filter((line) => line[0] !== marker).map((line) => line.slice(1));
  return { before: select("+"), after: select("-") };
}

/** Applies the hunks to a file of the copy. A file without lines before the change is new. */
function applyTo({ path, hunks }) {
  const file = join(COPY, path);
  const isNew = hunks.every(({ before }) => before.length === 0);
  assert.equal(existsSync(file), !isNew, `${path}: ${isNew ? "exists already" : "does not exist"}`);
  mkdirSync(dirname(file), { recursive: true });
  let content = isNew ? "" : readFileSync(file, "utf8");
  for (const { before, after } of hunks) {
    const old = before.map((line) => `${line}\n`).join("");
    const parts = isNew ? ["", ""] : content.split(old);
    assert.equal(parts.length, 2, `${path} has these lines ${parts.length - 1} times instead of once. Update the diff:\n${old}`);
    content = parts.join(after.map((line) => `${line}\n`).join(""));
  }
  writeFileSync(file, content);
}

/** Copies what cargo and the demo page need. The compiled dependencies of the last run stay. */
function copySources() {
  for (const folder of [COPY, TYPES]) rmSync(folder, { recursive: true, force: true });
  for (const path of ["Cargo.toml", "Cargo.lock", "src", "tests/native", "tests/web", "tests/fixtures"]) {
    cpSync(join(ROOT, path), join(COPY, path), { recursive: true });
  }
  const isSource = (path) => !path.includes("node_modules");
  cpSync(join(ROOT, "www"), join(COPY, "www"), { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, "www/node_modules"), join(COPY, "www/node_modules"));
}

/** Creates a project with the type tests and the declarations of the package. */
function createTypesProject() {
  const typesPackage = join(TYPES, "node_modules/address-query");
  mkdirSync(typesPackage, { recursive: true });
  for (const name of readdirSync(join(ROOT, "pkg"))) {
    if (name === "package.json" || name.endsWith(".d.ts")) cpSync(join(ROOT, "pkg", name), join(typesPackage, name));
  }
  cpSync(join(ROOT, "tests/types/methods.ts"), join(TYPES, "methods.ts"));
  writeFileSync(join(TYPES, "use.ts"), USE);
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, "tests/types/tsconfig.json"), "utf8"));
  writeFileSync(join(TYPES, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(
    join(TYPES, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, module: "es2022", moduleResolution: "bundler" }, include: ["*.ts"] }),
  );
}

/** Runs a program in the copy. In cargo's folder of the project, the copy would replace the project itself. */
function run(program, ...args) {
  const env = { ...process.env, CARGO_TARGET_DIR: join(WORK, "cargo") };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: COPY, env, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
}
