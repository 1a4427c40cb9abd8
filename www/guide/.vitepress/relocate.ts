// Makes the built site work in any folder of any server: VitePress builds for one absolute path. Also adds the Content-Security-Policy.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { parseAst } from "rollup/parseAst";

/** The path to replace. It is in no text of the guide. */
export const BASE = "/@guide@/";

/** The folder of the page at run time. All pages lie in the same one. */
const FOLDER = 'new URL("./",location.href).pathname';

interface Node {
  type: string;
  start: number;
  end: number;
}

const REWRITERS = new Map([
  [".html", relocatePage],
  [".css", relocateStyles],
  [".js", relocateScript],
]);

/** Rewrites all files of a folder. */
export function relocate(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const rewrite = REWRITERS.get(extname(name));
    if (rewrite) writeFileSync(path, rewrite(readFileSync(path, "utf8")));
  }
}

function relocatePage(html: string): string {
  const page = html.replaceAll(BASE, "./");
  const scripts = Array.from(page.matchAll(/<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g), ([, code = ""]) => code);
  const hashes = scripts.map((code) => ` 'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self'${hashes.join("")}`,
    // The colours of code are attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return page.replace(
    '<meta charset="utf-8">',
    `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

/** Style sheets lie in the folder of their pictures and fonts. */
function relocateStyles(css: string): string {
  return css.replaceAll(`${BASE}assets/`, "./");
}

/** Replaces the path within strings when the script runs. */
function relocateScript(code: string): string {
  if (!code.includes(BASE)) return code;
  let rewritten = "";
  let end = 0;
  for (const node of findStrings(parseAst(code) as Node)) {
    const text = code.slice(node.start, node.end);
    if (!text.includes(BASE)) continue;
    rewritten += `${code.slice(end, node.start)}(${text}).replaceAll(${JSON.stringify(BASE)},${FOLDER})`;
    end = node.end;
  }
  return rewritten + code.slice(end);
}

/** Iterates over the string literals and templates of a syntax tree, without those that another one contains. */
function* findStrings(node: Node): Generator<Node> {
  if (node.type === "TemplateLiteral" || (node.type === "Literal" && typeof (node as { value?: unknown }).value === "string")) {
    yield node;
    return;
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* findStrings(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}
