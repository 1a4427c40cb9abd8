// Writes THIRD-PARTY.md of the package: the third-party code in it, and its licences.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The npm packages that are bundled in part, and the files that contain them. */
const BUNDLED_PACKAGES = { binaryen: "compat-module.js", graphql: "testing/index.js" };

/** Returns the crates in the module as `{ name, version, licence, authors, folder }`, without those that only contain macros. */
export function findBundledCrates() {
  const wasm = ["--features", "js", "--locked"];
  const tree = runCargo(
    "tree",
    "--edges",
    "normal,no-proc-macro",
    "--target",
    "wasm32-unknown-unknown",
    "--prefix",
    "none",
    "--format",
    "{p}",
    ...wasm,
  );
  const inTree = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(
    runCargo("metadata", "--format-version=1", "--filter-platform", "wasm32-unknown-unknown", ...wasm),
  );
  return packages
    .filter(({ name, version, source }) => source !== null && inTree.has(`${name} v${version}`))
    .map(({ name, version, license, authors, manifest_path }) => ({
      name,
      version,
      licence: license,
      authors,
      folder: dirname(manifest_path),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the contents of THIRD-PARTY.md: each licence text once, with the works that it applies to. */
export function createNotices() {
  const works = findBundledCrates().map((crate) => ({
    title: `${crate.name} ${crate.version}, ${crate.licence}`,
    text: readLicenceText(crate),
  }));
  works.push({
    title: "The standard library of Rust, MIT OR Apache-2.0",
    text: createMitLicence("The Rust Project Contributors"),
  });
  for (const [name, file] of Object.entries(BUNDLED_PACKAGES)) {
    const folder = join(ROOT, "pkg-template/build/node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    works.push({
      title: `${name} ${version}, ${license}: parts of \`${file}\``,
      text: readFileSync(join(folder, "LICENSE"), "utf8").trim(),
    });
  }

  const sections = [...new Set(works.map(({ text }) => text))].map((text) => {
    const titles = works.filter((work) => work.text === text).map(({ title }) => `- ${title}`);
    return `${titles.join("\n")}\n\n\`\`\`text\n${text}\n\`\`\``;
  });
  const head =
    "# Third-party software\n\nThis package contains parts of these works, in its WebAssembly module if nothing else is said. If a work has several licences, the MIT licence is used.";
  return `${[head, ...sections].join("\n\n")}\n`;
}

/** Returns the files that must be distributed with a crate: its MIT licence, and its further notices. */
function readLicenceText({ name, licence, authors, folder }) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|copyright|notice)/i.test(file));
  const required = files.some((file) => /mit/i.test(file)) ? files.filter((file) => /mit|unicode|notice/i.test(file)) : files;
  if (required.length > 0)
    return required
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim())
      .join("\n\n");
  if (!/\bMIT\b/.test(licence)) throw new Error(`the crate ${name} contains no text of its licence, ${licence}`);
  return createMitLicence(authors.join(", "));
}

/** Returns the MIT licence for a crate that does not contain its text. The text is taken from this project's licence. */
function createMitLicence(holders) {
  const ownLicence = readFileSync(join(ROOT, "LICENSE"), "utf8");
  const [text] = /Permission is hereby granted[^]*?DEALINGS IN THE SOFTWARE\./.exec(ownLicence.replaceAll(/\r/g, ""));
  return `MIT License\n\nCopyright (c) ${holders}\n\n${text}`;
}

function runCargo(...args) {
  return execFileSync("cargo", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
}
