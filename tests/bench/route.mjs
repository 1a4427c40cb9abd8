// Counts what one call executes, by coverage: the functions, files and lines of the crate for one `client.page(AddressLogsParams)`, and
// the functions and files of pkg-template/runtime for one `client.addressLogs()`. Both read the same page of the sample service. Creating
// the client and loading the module are not part of the call. A generic or an async function counts once, and a closure is a function.
// `make route LIST=1`, or `node tests/bench/route.mjs --list`, lists the functions by file.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { argv, env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TARGET = join(ROOT, "target/route");
const BEFORE = { Rust: "454 functions, 70 files, 2,502 lines", JavaScript: "57 functions, 17 files" };
const GOALS = { Rust: "330 functions, 50 files, 1,900 lines", JavaScript: "45 functions, 13 files" };

const read = (command, args, options) => execFileSync(command, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e9, ...options });

/** Returns the path of an LLVM tool of the toolchain, because the formats of other versions differ. */
function findTool(name) {
  const libraries = join(read("rustc", ["--print", "sysroot"]).trim(), "lib/rustlib");
  const path = readdirSync(libraries)
    .map((target) => join(libraries, target, "bin", name))
    .find(existsSync);
  if (path) return path;
  console.error(`${name} is missing; install it with: rustup component add llvm-tools`);
  process.exit(1);
}

/** Counts what the crate executes. Lists the functions by file. */
function countRust(address, page) {
  const [profdata, cov] = ["llvm-profdata", "llvm-cov"].map(findTool);
  const raw = join(TARGET, "route.profraw");
  // The feature `bench` leaves code of other features unused. Build scripts are compiled for coverage, too.
  const variables = { ...env, RUSTFLAGS: "-C instrument-coverage -A dead_code", LLVM_PROFILE_FILE: raw };
  const build = ["build", "--quiet", "--locked", "--example", "route", "--features", "bench", "--target-dir", TARGET];
  read("cargo", build, { env: variables, stdio: "inherit" });
  const program = join(TARGET, "debug/examples/route");
  read(program, [address, page], { env: variables });
  const merged = join(TARGET, "route.profdata");
  read(profdata, ["merge", "--sparse", raw, "-o", merged]);
  const sources = ["--instr-profile", merged, "--sources", join(ROOT, "src")];
  const [{ files, functions }] = JSON.parse(read(cov, ["export", program, ...sources])).data;
  const found = new Map();
  for (const { filenames, regions } of functions.filter(({ count }) => count > 0)) {
    const [path, [line, column]] = [relative(ROOT, filenames[0]), regions[0]];
    if (!path.startsWith("src/")) continue;
    const source = readFileSync(join(ROOT, path), "utf8").split("\n")[line - 1];
    // The body of an async function is a function, too. Instances of a generic function have the same position.
    if (/^(pub(\(.*?\))? )?async fn /.test(source.slice(column - 1))) continue;
    if (!found.has(path)) found.set(path, new Map());
    found.get(path).set(line * 1000 + column, `${line}: ${source.trim()}`);
  }
  let lines = 0;
  for (const { filename, summary } of files) if (found.has(relative(ROOT, filename))) lines += summary.lines.covered;
  const list = [...found].map(([path, names]) => [path, [...names].sort(([a], [b]) => a - b).map(([, name]) => name)]);
  return { list, lines };
}

/** Counts what the package executes, and writes the response into a file. */
async function countJavaScript(page) {
  const { AddressClient } = await import("../../pkg/index.js");
  const { createSampleService } = await import("../../pkg/testing/index.js");
  const service = createSampleService();
  const address_hash = service.addresses.find(({ id }) => id === "hub").hash;
  let body;
  const fetch = async (request) => {
    const response = await service.fetch(request);
    body = await response.clone().text();
    return response;
  };
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch });
  // Compiles the module. Afterwards the package decodes a synthetic page.
  await client.addresses();
  await sleep(200);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await client.addressLogs({ address_hash });
  const { result } = await session.post("Profiler.takePreciseCoverage");
  writeFileSync(page, body);
  const folder = new URL("../../pkg/", import.meta.url).href;
  const list = [];
  for (const { url, functions } of result) {
    const name = url.startsWith(folder) ? url.slice(folder.length) : "";
    const names = functions.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName }) => functionName || "(anonymous)");
    const called = names.filter((name) => name !== "<instance_members_initializer>");
    const source = `pkg-template/runtime/${name.replace(/js$/, "ts")}`;
    if (name && called.length > 0 && existsSync(join(ROOT, source))) list.push([source, called]);
  }
  return { list, address_hash };
}

mkdirSync(TARGET, { recursive: true });
const page = join(TARGET, "page.json");
const script = await countJavaScript(page);
const crate = countRust(script.address_hash, page);
const count = (list) => `${list.reduce((sum, [, functions]) => sum + functions.length, 0)} functions, ${list.length} files`;
const RESULTS = { Rust: `${count(crate.list)}, ${crate.lines.toLocaleString("en")} lines`, JavaScript: count(script.list) };
if (argv.includes("--list")) {
  for (const [path, functions] of [...crate.list, ...script.list].sort())
    console.log([`${path}: ${functions.length}`, ...functions].join("\n  "));
}
for (const [name, result] of Object.entries(RESULTS))
  console.log(`${name}: ${result} (before: ${BEFORE[name]}; goal: ${GOALS[name]})`);
