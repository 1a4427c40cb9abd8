// Checks the contents of the Rust crate.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const list = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim().split("\n");

test("the crate contains the sources, the documents and the license, and nothing else", () => {
  const packed = list("cargo", "package", "--list", "--allow-dirty", "--quiet").filter((file) => file !== ".cargo_vcs_info.json");
  const sources = list("git", "ls-files", "--cached", "--others", "--exclude-standard", "src");
  const others = ["CHANGELOG.md", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig", "LICENSE", "README.md"];
  assert.deepEqual(packed.toSorted(), [...others, ...sources].toSorted());
});
