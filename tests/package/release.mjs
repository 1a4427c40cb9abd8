// What must hold before the package is published (`make release-check`): its version, changelog, contents and licences.
// Prints a line each, and fails when one does not hold. Sizes are checked by `make size`.
//
//   node tests/package/release.mjs [--write]      --write takes the contents as they are into contents.txt
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";
import { bundledCrates } from "../../pkg-template/notices.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONTENTS = new URL("contents.txt", import.meta.url);
// Licences whose terms a notice in the package meets.
const LICENCES = ["MIT", "Unicode-3.0"];

const manifest = JSON.parse(read("pkg/package.json"));
const [packed] = JSON.parse(run("npm", "pack", "./pkg", "--dry-run", "--json"));
const checks = { version, changelog, contents, scripts, licences };

let failures = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    console.log(`passed ${name.padEnd(10)} ${check()}`);
  } catch (error) {
    failures += 1;
    console.log(`failed ${name.padEnd(10)} ${error.message}`);
  }
}
console.log(`${Object.keys(checks).length - failures} passed, ${failures} failed`);
if (failures > 0) process.exitCode = 1;

/** It is written in Cargo.toml alone, and a tag says the same. */
function version() {
  const [{ version }] = JSON.parse(run("cargo", "metadata", "--format-version=1", "--no-deps", "--locked")).packages;
  assert.equal(manifest.version, version, "pkg/ has another version than Cargo.toml: make build");
  const template = JSON.parse(read("pkg-template/package.json"));
  assert.equal(template.version, "0.0.0", "pkg-template/package.json states a version of its own");
  const tags = versionTags();
  assert.ok(tags.length === 0 || tags.includes(`v${version}`), `the commit is tagged ${tags.join(", ")}, Cargo.toml says ${version}`);
  return `${version}${tags.length > 0 ? ", tagged" : ", not tagged"}`;
}

/** A tagged version has its own dated section, first of all; before that its entries may wait under "Unreleased". */
function changelog() {
  const sections = read("CHANGELOG.md").split(/^## /m).slice(1);
  const entries = (section) => (section.match(/^- /gm) ?? []).length;
  const dated = new RegExp(`^\\[?${manifest.version.replaceAll(".", "\\.")}\\]? - \\d{4}-\\d{2}-\\d{2}\\n`);
  const own = sections.find((section) => dated.test(section));
  const section = own ?? (versionTags().length > 0 ? undefined : sections.find((section) => section.startsWith("Unreleased\n")));
  assert.ok(section, `CHANGELOG.md has no section "## ${manifest.version} - YYYY-MM-DD"`);
  if (versionTags().length > 0) assert.equal(section, sections.find((section) => entries(section) > 0), "a newer section has entries");
  assert.ok(entries(section) > 0, "the section has no entries");
  return `${entries(section)} entries under ${own ? manifest.version : "Unreleased"}`;
}

function contents() {
  // What the entries share is named after its content.
  const names = packed.files.map(({ path }) => path.replace(/^shared-\w+\.js$/, "shared-*.js"));
  const files = [...new Set(names)].sort();
  if (argv.includes("--write")) writeFileSync(CONTENTS, `${files.join("\n")}\n`);
  const allowed = readFileSync(CONTENTS, "utf8").trim().split("\n");
  const foreign = files.filter((path) => !allowed.includes(path));
  const missing = allowed.filter((path) => !files.includes(path));
  const unlike = [...foreign.map((path) => `${path} is not in contents.txt`), ...missing.map((path) => `${path} is missing`)];
  assert.equal(unlike.length, 0, unlike.join("; "));
  return `${packed.files.length} files, ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`;
}

/** Nothing runs where the package is installed, and nothing else is. */
function scripts() {
  for (const field of ["scripts", "bin", "dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"]) {
    assert.equal(manifest[field], undefined, `the manifest has "${field}"`);
  }
  assert.ok(!packed.files.some(({ path }) => /binding\.gyp$/.test(path)), "binding.gyp runs a build");
  return "none, and no dependencies";
}

/** Each crate can be taken under a licence of the list, and the package names it. */
function licences() {
  const crates = bundledCrates();
  assert.ok(crates.length > 0, "no crates were found");
  const notices = read("pkg/THIRD-PARTY.md");
  for (const { name, version, licence } of crates) {
    assert.ok(isAllowed(licence), `${name} ${version} is under ${licence}`);
    assert.ok(notices.includes(`- ${name} ${version}, ${licence}\n`), `THIRD-PARTY.md lacks ${name} ${version}: make build`);
  }
  return `${crates.length} crates, under ${LICENCES.join(" or ")}`;
}

/** Whether an SPDX expression can be met: all parts of an AND, one of an OR. */
function isAllowed(expression) {
  const flat = (expression ?? "").replaceAll(/\(([^()]*)\)/g, (_, inner) => (isAllowed(inner) ? LICENCES[0] : "none"));
  if (flat !== (expression ?? "")) return isAllowed(flat);
  return flat.split(/ OR |\//).some((choice) => choice.split(" AND ").every((licence) => LICENCES.includes(licence.trim())));
}

function versionTags() {
  const tags = run("git", "tag", "--points-at", "HEAD").split("\n");
  if (env.GITHUB_REF_TYPE === "tag") tags.push(env.GITHUB_REF_NAME);
  return tags.filter((tag) => /^v\d/.test(tag));
}

function read(path) {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

function run(program, ...args) {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
}
