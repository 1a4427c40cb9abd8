// The edits by which `make size FEATURES=...` leaves features out of a copy of the sources.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { FEATURES } from "../pkg-template/build/features.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["", "pkg-template/runtime/", "target/generated/"];

for (const { name, edits } of FEATURES) {
  test(`the edits that leave out ${name} can be applied`, () => {
    for (const [file, find] of edits) {
      const path = FOLDERS.map((folder) => ROOT + folder + file).find(existsSync);
      assert.ok(path, `${file} does not exist`);
      const occurrences = readFileSync(path, "utf8").split(find).length - 1;
      assert.equal(occurrences, 1, `${file} has this text ${occurrences} times; update features.mjs:\n${find}`);
    }
  });
}
