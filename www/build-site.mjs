// Writes target/site: the page on sample data, the guide and the API reference, for any static server and any folder of it.
//
//   node www/build-site.mjs
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

// The page itself does not need it: it is one of the development tools.
const MarkdownIt = createRequire(new URL("../tests/package.json", import.meta.url))("markdown-it");
const root = new URL("../", import.meta.url);
const site = new URL("target/site/", root);
const { version } = JSON.parse(await readFile(new URL("pkg/package.json", root), "utf8"));

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self' https: data:; base-uri 'none'; form-action 'none'";

/** The ids of headings, as GitHub makes them: links within the guide refer to them. */
function toId(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function renderGuide(markdown) {
  const renderer = new MarkdownIt({ html: false });
  renderer.renderer.rules.heading_open = (tokens, index) => `<${tokens[index].tag} id="${toId(tokens[index + 1].content)}">`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${POLICY}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="referrer" content="no-referrer">
  <title>Guide – address-query ${version}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="guide.css">
</head>
<body>
  <nav aria-label="Site"><a href="./index.html">Demo</a> <a href="./guide.html" aria-current="page">Guide</a> <a href="./api/index.html">API reference</a></nav>
  <main>
${renderer.render(markdown)}
  </main>
</body>
</html>
`;
}

await rm(site, { recursive: true, force: true });
await mkdir(site, { recursive: true });
await cp(new URL("target/page/", root), site, { recursive: true });
// The page shows links to the guide and the API reference if its head has this link.
const page = await readFile(new URL("index.html", site), "utf8");
await writeFile(new URL("index.html", site), page.replace("</title>", '</title>\n  <link rel="help" href="./guide.html">'));
await cp(new URL("target/docs/", root), new URL("api/", site), { recursive: true });
await cp(new URL("www/guide.css", root), new URL("guide.css", site));
await writeFile(new URL("guide.html", site), renderGuide(await readFile(new URL("pkg/README.md", root), "utf8")));
// Servers of project pages must not treat folders with a leading underscore or dot in a special way.
await writeFile(new URL(".nojekyll", site), "");
console.log("target/site is ready: open it with any static server, such as `node www/serve.mjs --folder target/site`");
