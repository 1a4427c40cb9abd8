// Writes target/site: the page on sample data and the guide, for any static server and any folder of it.
//
//   node www/build-site.mjs
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createDocuments, readSize } from "../pkg-template/build/documents.mjs";

const root = new URL("../", import.meta.url);
const site = new URL("target/site/", root);

await rm(site, { recursive: true, force: true });
await mkdir(site, { recursive: true });
await cp(new URL("target/page/", root), site, { recursive: true });
// The page shows links to the guide if its head has this link.
const page = await readFile(new URL("index.html", site), "utf8");
await writeFile(new URL("index.html", site), page.replace("</title>", '</title>\n  <link rel="help" href="./guide/index.html">'));
await cp(new URL("target/guide/site/", root), new URL("guide/", site), { recursive: true });
const link = (name) => `./guide/${name.replace(".md", ".html")}`;
const path = fileURLToPath(root);
const documents = createDocuments(path, fileURLToPath(new URL("target/generated", root)), readSize(path), link);
for (const [name, text] of Object.entries(documents)) await writeFile(new URL(name, site), text);
// Servers of project pages must not treat folders with a leading underscore or dot in a special way.
await writeFile(new URL(".nojekyll", site), "");
console.log("target/site is ready: open it with any static server, such as `node www/serve.mjs --folder target/site`");
