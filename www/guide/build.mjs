// Builds the guide into target/guide/site: node www/guide/build.mjs (`make guide`).
import { copyFile, cp, mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build as buildRunner } from "vite";
import { build as buildSite } from "vitepress";
import { insertSize, readSize } from "../../pkg-template/build/documents.mjs";
import { drawCredits, drawLayers, drawRequestWay } from "./pictures.mjs";
import { readResponse } from "./responses.mjs";
import { createTypePages, findTypeLinks, linkTypes } from "./types.mjs";

const HERE = new URL("./", import.meta.url);
const ROOT = new URL("../../", HERE);
const OUT = new URL("target/guide/", ROOT);
const PAGES = new URL("pages/", OUT);
const REFERENCE = new URL("target/generated/guide/", ROOT);

await collectPages();
await buildSite(fileURLToPath(HERE));
await buildRunner({ configFile: fileURLToPath(new URL("runner/vite.config.ts", HERE)) });

/** Collects all pages in one folder: the home page, the pages of this folder, the changelog, and the generated pages. */
async function collectPages() {
  await rm(OUT, { recursive: true, force: true });
  await mkdir(PAGES, { recursive: true });
  // Compiled pages import Vue.
  await symlink(new URL("node_modules", HERE), new URL("node_modules", OUT));
  const size = readSize(fileURLToPath(ROOT));
  await writeFile(new URL("index.md", PAGES), insertSize(await readFile(new URL("home.md", HERE), "utf8"), size));
  await copyFile(new URL("www/screenshot.png", ROOT), new URL("screenshot.png", PAGES));
  await cp(new URL("programs/", HERE), new URL("programs/", PAGES), { recursive: true });
  await copyFile(new URL("CHANGELOG.md", ROOT), new URL("changelog.md", PAGES));
  for (const name of await readdir(new URL("pages/", HERE))) {
    const page = await readFile(new URL(`pages/${name}`, HERE), "utf8");
    await writeFile(new URL(name, PAGES), insertSize(page, size));
  }
  await insertSources(new URL("how-it-works.md", PAGES));
  const names = (await readdir(REFERENCE)).filter((name) => name.endsWith(".md"));
  const links = await writeTypePages(names);
  for (const name of names) {
    const page = linkTypes(await readFile(new URL(name, REFERENCE), "utf8"), links);
    const response = name.startsWith("api-") ? await readResponse(page) : null;
    const section = response === null ? "" : `\n## Response\n\n\`\`\`json\n${response}\n\`\`\`\n`;
    await writeFile(new URL(name, PAGES), page + section);
  }
}

/** Writes the pages of the types; returns the links to all types by name. `names` are the files of the other pages. */
async function writeTypePages(names) {
  const project = JSON.parse(await readFile(new URL("target/types.json", ROOT), "utf8"));
  const described = new Map();
  for (const page of ["records", "options"]) {
    const text = await readFile(new URL(`${page}.md`, REFERENCE), "utf8");
    for (const [, name] of text.matchAll(/^## (.+)$/gm)) described.set(name, `./${page}#${name.toLowerCase()}`);
  }
  const methods = new Set(names.map((name) => name.replace(".md", "")));
  for (const [name, text] of createTypePages(project, described, methods)) await writeFile(new URL(name, PAGES), text);
  return findTypeLinks(project, described);
}

/** Inserts what a page shows of the sources: a declaration, the modules of the crate, and pictures. */
async function insertSources(page) {
  const files = ["src/lib.rs", "src/endpoint/declarations/rest.rs", "src/client/mod.rs"].map((path) => new URL(path, ROOT));
  const [text, crate, declarations, client, reference] = await Promise.all(
    [page, ...files, new URL("reference.md", REFERENCE)].map((file) => readFile(file, "utf8")),
  );
  // The links lead to Rust's documentation.
  const layers = findTable(crate, "module").replaceAll(/\[(`\w+`)\]/g, "$1");
  const [declaration] = /(?:^ {4}\/\/\/.*\n)+^ {4}AddressLogsParams [^]*?^ {4}\}\n/m.exec(declarations);
  const code = declaration.replaceAll(/^ {4}/gm, "");
  const clientLayers = findTable(client, "file or folder");
  const root = fileURLToPath(ROOT);
  const sources = {
    layers,
    declaration: formatBlock("rust", code),
    request: formatBlock("svg", drawRequestWay(root, layers, clientLayers)),
    uses: formatBlock("svg", drawLayers(root, layers)),
    credits: formatBlock("svg", drawCredits(reference)),
  };
  await writeFile(
    page,
    text.replaceAll(/<!-- (\w+) -->/g, (_, name) => sources[name]),
  );
}

/** Finds the table of contents in the documentation of a Rust module, by the title of its first column. */
function findTable(source, title) {
  const [table] = new RegExp(`^\\| ${title} \\| contents \\|\n(?:\\|.*\n)+`, "m").exec(source.replaceAll(/^\/\/! /gm, ""));
  return table;
}

function formatBlock(language, text) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
