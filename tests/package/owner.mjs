// The owner of the repository. `repository` of Cargo.toml is the only place that names it; the build derives every link from there.
//
//   node tests/package/owner.mjs <owner>      writes the owner into Cargo.toml
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const MANIFEST = new URL("../../Cargo.toml", import.meta.url);
/** GitHub's rule for names of users and organisations. */
const OWNER = /^[a-z\d](?:-?[a-z\d]){0,38}$/i;

if (argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(MANIFEST, setOwner(readFileSync(MANIFEST, "utf8"), argv[2] ?? ""));
}

/** Returns the manifest with another owner of the repository. */
export function setOwner(manifest, owner) {
  if (!OWNER.test(owner)) throw new Error(`OWNER must be the name of a GitHub user or organisation, found "${owner}"`);
  return manifest.replace(/^(repository = "https:\/\/github\.com\/)[^/]+/m, (_, start) => start + owner);
}

/** Finds the links to the repository, whoever its owner is. */
export function findRepositoryLinks(text) {
  return text.match(/https:\/\/github\.com\/[\w-]+\/address-query\b/g) ?? [];
}
