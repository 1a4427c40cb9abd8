// The documents whose examples are tested: the READMEs, the pages of the guide, and its generated reference pages.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const GUIDE = "www/guide/pages";
const REFERENCE = "target/generated/guide";

/** The documents that are written by hand, relative to the repository. */
export const DOCUMENTS = ["README.md", "pkg-template/README.md", "pkg-template/SKILL.md", ...listPages(GUIDE)];

/** The reference pages, which the build generates. */
export const REFERENCE_PAGES = listPages(REFERENCE);

function listPages(folder) {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `${folder}/${name}`);
}
