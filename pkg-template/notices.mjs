// What is in the module beside this project, and under which licences: THIRD-PARTY.md of the package.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BINARYEN = join(ROOT, "tests/node_modules/binaryen");

/** The crates in the module: `{ name, version, licence, authors, folder }`. Macros run in the compiler and are not in it. */
export function bundledCrates() {
  const wasm = ["--features", "js", "--locked"];
  const tree = cargo("tree", "--edges", "normal,no-proc-macro", "--target", "wasm32-unknown-unknown", "--prefix", "none", "--format", "{p}", ...wasm);
  const inTree = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(cargo("metadata", "--format-version=1", "--filter-platform", "wasm32-unknown-unknown", ...wasm));
  return packages
    .filter(({ name, version, source }) => source !== null && inTree.has(`${name} v${version}`))
    .map(({ name, version, license, authors, manifest_path }) => ({ name, version, licence: license, authors, folder: dirname(manifest_path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** THIRD-PARTY.md: every crate with its notices; equal texts once. */
export function notices() {
  const parts = bundledCrates().map((crate) => ({ title: `${crate.name} ${crate.version}, ${crate.licence}`, text: textOf(crate) }));
  parts.push({ title: "The standard library of Rust, MIT OR Apache-2.0", text: mit("The Rust Project Contributors") });
  const { version, license } = JSON.parse(readFileSync(join(BINARYEN, "package.json"), "utf8"));
  const written = `Binaryen ${version}, ${license}: parts of \`compat-module.js\``;
  parts.push({ title: written, text: readFileSync(join(BINARYEN, "LICENSE"), "utf8").trim() });

  const sections = [...new Set(parts.map(({ text }) => text))].map((text) => {
    const titles = parts.filter((part) => part.text === text).map(({ title }) => `- ${title}`);
    return `${titles.join("\n")}\n\n\`\`\`text\n${text}\n\`\`\``;
  });
  const head = "# Third-party software\n\nThe modules of this package hold parts of these works. Where a work gives the choice, its MIT licence is taken.";
  return `${[head, ...sections].join("\n\n")}\n`;
}

/** The texts that must go with a crate: those of its MIT licence and of what it demands beside it. */
function textOf({ name, licence, authors, folder }) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|copyright|notice)/i.test(file));
  const mine = files.some((file) => /mit/i.test(file)) ? files.filter((file) => /mit|unicode|notice/i.test(file)) : files;
  if (mine.length > 0) return mine.sort().map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  if (!/\bMIT\b/.test(licence)) throw new Error(`${name} comes without the text of its licence, ${licence}`);
  return mit(authors.join(", "));
}

/** The text of the MIT licence, for crates that name it and do not bring it; this project's own has the same words. */
function mit(holders) {
  const own = readFileSync(join(ROOT, "LICENSE"), "utf8");
  const [text] = /Permission is hereby granted[^]*?DEALINGS IN THE SOFTWARE\./.exec(own.replaceAll(/\r/g, ""));
  return `MIT License\n\nCopyright (c) ${holders}\n\n${text}`;
}

function cargo(...args) {
  return execFileSync("cargo", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
}
