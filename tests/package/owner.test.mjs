// The owner of the repository is one value in one file, and fills every link of the package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findRepositoryLinks, setOwner } from "./owner.mjs";

const ROOT = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), "utf8");
const [, repository] = /^repository = "(.+)"$/m.exec(read("Cargo.toml"));

test("the owner replaces one value of Cargo.toml", () => {
  const changed = setOwner(read("Cargo.toml"), "acme-2");
  const before = read("Cargo.toml").split("\n");
  const lines = changed.split("\n").filter((line, index) => line !== before[index]);
  assert.deepEqual(lines, ['repository = "https://github.com/acme-2/address-query"']);
  assert.equal(setOwner(changed, "other"), setOwner(read("Cargo.toml"), "other"));
});

test("a name that GitHub does not allow is an error", () => {
  for (const owner of ["", "-acme", "acme/address-query", 'a"b', "a".repeat(40)]) {
    assert.throws(() => setOwner(read("Cargo.toml"), owner), /OWNER must be the name/, owner);
  }
});

test("no other file of the repository names the owner", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: fileURLToPath(ROOT), encoding: "utf8" })
    .trim()
    .split("\n");
  const named = files.filter((path) => path !== "tests/package/owner.test.mjs" && read(path).includes(repository));
  assert.deepEqual(named, ["Cargo.toml"]);
});

test("every link of the built package to the repository has the owner of Cargo.toml", () => {
  const files = readdirSync(new URL("pkg", ROOT), { recursive: true }).filter((path) =>
    /\.(\w?js|md|txt|json|map|d\.ts)$/.test(path),
  );
  const links = files.flatMap((path) => findRepositoryLinks(read(`pkg/${path}`)));
  assert.ok(links.length > 60, `${links.length} links`);
  assert.deepEqual([...new Set(links)], [repository]);
});
