// Changes twelve lines of the core, the package, the history and the page, one at a time, and fails if `make test` would not notice:
// node tests/mutants.mjs [part of a path]. The TypeScript is changed where it is built. `make mutants` changes more of the core.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const js = (name) => `node --test tests/js/${name}.test.mjs`;
const page = (name) => `(cd www && node_modules/.bin/vite build) && node --test tests/e2e/${name}.test.mjs`;
const native = (filter) => `cargo test --test native ${filter}`;

/** A file, a string that occurs once in it, its replacement, and a command of `make test` that must then fail. */
const MUTANTS = [
  ["src/client/rate_limiter/backoff.rs", "f64::midpoint(random, 1.0)", "random", native("retry")],
  ["src/client/retry/policy.rs", "attempts < max_attempts &&", "attempts <= max_attempts &&", native("client")],
  [
    "src/client/range/planner.rs",
    "if is_end { rows.find_cut(start, rows_before > 0)? } else { last_block }",
    "last_block",
    native("range"),
  ],
  ["src/client/list/keyset_parts.rs", "self.start.is_none() || self.first.is_some()", "true", native("lists")],
  ["pkg/resume-token.js", "if (owner !== operation)", "if (false)", js("resume-tokens")],
  ["pkg/early-requests.js", "count + 1 > limit", "count > limit", js("early-requests")],
  ["pkg/units.js", 'padStart(places + 1, "0")', 'padStart(places, "0")', js("units")],
  ["pkg/history/history-reader.js", "return index + 1;", "return index;", js("history")],
  ["pkg/history/movement.js", "if (success === false)", "if (false)", js("audit")],
  ["pkg/history/csv.js", "[=+\\-@＝＋－＠]", "[=+\\-＝＋－＠]", js("export")],
  ["www/src/format/url.ts", 'url.protocol === "https:" &&', "true &&", page("untrusted-data")],
  ["www/src/tabs/tab-bar.ts", "focused === last ? 0 : focused + 1", "focused + 1", page("keyboard")],
];

let survivors = 0;
for (const [file, search, replacement, command] of MUTANTS.filter(([file]) => file.includes(argv[2] ?? ""))) {
  const source = readFileSync(ROOT + file, "utf8");
  if (source.split(search).length !== 2) throw new Error(`${file} must have this once: ${search}`);
  writeFileSync(
    ROOT + file,
    source.replace(search, () => replacement),
  );
  try {
    const { status, stdout } = spawnSync(command, { cwd: ROOT, shell: true, encoding: "utf8", maxBuffer: 1 << 28 });
    const failed = Array.from(
      stdout.matchAll(/^\s*not ok \d+ - (.*)|^test (\S+) \.\.\. FAILED/gm),
      ([, name, path]) => name ?? path,
    );
    // A mutant that does not compile is no proof of a test.
    const isNoticed = status !== 0 && failed.length > 0;
    if (!isNoticed) survivors += 1;
    console.log(`${isNoticed ? "noticed" : "SURVIVED"} ${file}: ${search} → ${replacement}\n  ${failed[0] ?? command}`);
  } finally {
    writeFileSync(ROOT + file, source);
  }
}
if (survivors > 0) process.exitCode = 1;
