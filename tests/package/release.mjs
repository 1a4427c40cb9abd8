// Checks the package and the crate before they are published (`make release-check`): version, changelog, contents, scripts,
// licenses, and whether the crate compiles as packaged.
// Prints a line per check and fails if one of them fails. `make size` checks the sizes.
//
//   node tests/package/release.mjs [--write]      --write updates contents.txt
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";
import { findObstacle } from "../../pkg-template/build/compile.mjs";
import { findBundledCrates } from "../../pkg-template/build/notices.mjs";
import { findRepositoryLinks } from "./owner.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONTENTS = new URL("contents.txt", import.meta.url);
// Licenses whose terms are met by a notice in the package.
const ALLOWED_LICENSES = ["MIT", "Unicode-3.0"];
// The message of cargo if it cannot reach crates.io.
const REGISTRY_UNREACHABLE = /failed to (download|fetch|query|update)|[Uu]nable to update registry|Could not resolve host/;
// The crate has no tests or examples, and a dry run uploads nothing.
const ALLOWED_WARNINGS = [/^warning: ignoring (test|example) `\w+` as /, /^warning: aborting upload due to dry run$/];

const manifest = JSON.parse(read("pkg/package.json"));
const [packed] = JSON.parse(run("npm", "pack", "./pkg", "--dry-run", "--json"));
const checks = {
  build: checkBuild,
  version: checkVersion,
  changelog: checkChangelog,
  contents: checkContents,
  scripts: checkScripts,
  licenses: checkLicenses,
  links: checkLinks,
  crate: checkCrate,
};

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

/** The module must be built with all options that make it small. Otherwise its size is not checked against the limit. */
function checkBuild() {
  const obstacle = findObstacle();
  assert.ok(obstacle === undefined, `${obstacle}; the package is larger than necessary`);
  return "with the unstable options of the compiler";
}

/** Cargo.toml is the only place with the version. A version tag of the commit must agree with it. */
function checkVersion() {
  const [{ version }] = JSON.parse(run("cargo", "metadata", "--format-version=1", "--no-deps", "--locked")).packages;
  assert.equal(manifest.version, version, "pkg/ and Cargo.toml have different versions; run make build");
  const template = JSON.parse(read("pkg-template/package.json"));
  assert.equal(template.version, "0.0.0", "the version in pkg-template/package.json must be 0.0.0");
  const tags = getVersionTags();
  assert.ok(
    tags.length === 0 || tags.includes(`v${version}`),
    `the commit is tagged ${tags.join(", ")}, Cargo.toml says ${version}`,
  );
  return `${version}${tags.length > 0 ? ", tagged" : ", not tagged"}`;
}

/** A tagged version must have a dated section, the first one with entries. Before that, "Unreleased" is enough. */
function checkChangelog() {
  const sections = read("CHANGELOG.md").split(/^## /m).slice(1);
  const countEntries = (section) => (section.match(/^- /gm) ?? []).length;
  const dated = new RegExp(`^\\[?${manifest.version.replaceAll(".", "\\.")}\\]? - \\d{4}-\\d{2}-\\d{2}\\n`);
  const own = sections.find((section) => dated.test(section));
  const section =
    own ?? (getVersionTags().length > 0 ? undefined : sections.find((section) => section.startsWith("Unreleased\n")));
  assert.ok(section, `CHANGELOG.md has no section "## ${manifest.version} - YYYY-MM-DD"`);
  if (getVersionTags().length > 0)
    assert.equal(
      section,
      sections.find((section) => countEntries(section) > 0),
      "a section above this version's has entries",
    );
  assert.ok(countEntries(section) > 0, "the section has no entries");
  return `${countEntries(section)} entries under ${own ? manifest.version : "Unreleased"}`;
}

/** The package must contain exactly the files of contents.txt. */
function checkContents() {
  const files = packed.files.map(({ path }) => path).sort();
  if (argv.includes("--write")) writeFileSync(CONTENTS, `${files.join("\n")}\n`);
  const allowed = readFileSync(CONTENTS, "utf8").trim().split("\n");
  const unexpected = files.filter((path) => !allowed.includes(path));
  const missing = allowed.filter((path) => !files.includes(path));
  const differences = [
    ...unexpected.map((path) => `${path} is not in contents.txt`),
    ...missing.map((path) => `${path} is missing`),
  ];
  assert.equal(differences.length, 0, differences.join("; "));
  return `${packed.files.length} files, ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`;
}

/** Installing the package must not run scripts or install other packages. */
function checkScripts() {
  for (const field of ["scripts", "bin", "dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"]) {
    assert.equal(manifest[field], undefined, `package.json must not have "${field}"`);
  }
  assert.ok(
    !packed.files.some(({ path }) => /binding\.gyp$/.test(path)),
    "the package must not contain binding.gyp, which runs a build",
  );
  return "none, and no dependencies";
}

/** Every bundled crate must have an allowed license and be listed in THIRD-PARTY.md. */
function checkLicenses() {
  const crates = findBundledCrates();
  assert.ok(crates.length > 0, "no crates were found");
  const notices = read("pkg/THIRD-PARTY.md");
  for (const { name, version, licence: license } of crates) {
    assert.ok(isAllowed(license), `${name} ${version} has the license ${license}, which is not allowed`);
    assert.ok(notices.includes(`- ${name} ${version}, ${license}\n`), `THIRD-PARTY.md lacks ${name} ${version}; run make build`);
  }
  return `${crates.length} crates, under ${ALLOWED_LICENSES.join(" or ")}`;
}

/** Every link to the repository must have the owner of Cargo.toml, which must not be the placeholder in a tagged version. */
function checkLinks() {
  const { homepage, repository, bugs } = manifest;
  assert.ok(
    [homepage, repository?.url, bugs?.url].every((link) => /^(git\+)?https:\/\//.test(link ?? "")),
    "package.json must have homepage, repository and bugs",
  );
  const links = packed.files.flatMap(({ path }) => findRepositoryLinks(read(`pkg/${path}`)));
  const [, expected] = /^repository = "(.+)"$/m.exec(read("Cargo.toml"));
  const others = links.filter((link) => link !== expected);
  assert.equal(others.length, 0, `${others.length} links lead to ${others[0]} instead of ${expected}; run make build`);
  const isPlaceholder = expected.includes("/OWNER/");
  const remedy = "make release-check OWNER=<name> fills in the owner";
  assert.ok(!isPlaceholder || getVersionTags().length === 0, remedy);
  return isPlaceholder ? `a placeholder in ${links.length} places; ${remedy}` : `${links.length} links to ${expected}`;
}

/** The crate must be accepted and, as packaged, compile for WebAssembly. Without a tag, uncommitted changes are packaged too. */
function checkCrate() {
  const options = ["--locked", "--target", "wasm32-unknown-unknown"];
  if (getVersionTags().length === 0) options.push("--allow-dirty");
  const published = cargo("publish", "--dry-run", ...options);
  const isOffline = published.status !== 0 && REGISTRY_UNREACHABLE.test(published.stderr);
  const { status, stderr } = isOffline ? cargo("package", "--offline", ...options) : published;
  assert.equal(status, 0, stderr);
  const warnings = stderr.match(/^warning: .*/gm) ?? [];
  const unexpected = warnings.filter((warning) => !ALLOWED_WARNINGS.some((allowed) => allowed.test(warning)));
  assert.equal(unexpected.length, 0, unexpected.join("; "));
  const [packaged] = stderr.match(/Packaged .*/);
  return isOffline
    ? `${packaged}; compiled, but crates.io is not reachable: not checked with cargo publish --dry-run`
    : `${packaged}; compiled, and accepted by cargo publish --dry-run`;
}

function cargo(...args) {
  return spawnSync("cargo", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
}

/** Whether an SPDX expression allows one of the licenses: every part of an AND, any part of an OR. */
function isAllowed(expression) {
  const flattened = (expression ?? "").replaceAll(/\(([^()]*)\)/g, (_, inner) =>
    isAllowed(inner) ? ALLOWED_LICENSES[0] : "none",
  );
  if (flattened !== (expression ?? "")) return isAllowed(flattened);
  return flattened
    .split(/ OR |\//)
    .some((choice) => choice.split(" AND ").every((license) => ALLOWED_LICENSES.includes(license.trim())));
}

/** The version tags of the current commit. */
function getVersionTags() {
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
