// Creates the documents of the package from the sources of the guide: errors.md, and for programs that write code, SKILL.md, llms.txt
// and llms-full.txt.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The reference pages that are not about a single method. */
const REFERENCE = ["reference.md", "options.md", "records.md", "checked.md", "troubleshooting.md"];

/** Creates the documents from the repository and the generated pages. `link(page)` returns the URL of a page. */
export function createDocuments(root, generated, size, link) {
  const readme = readFileSync(join(root, "pkg-template/README.md"), "utf8");
  const guide = readPages(join(root, "www/guide/pages"));
  const reference = readPages(join(generated, "guide"));
  return {
    // `help` of an error names a section of it.
    "errors.md": removeLinks(reference.get("troubleshooting.md")),
    "SKILL.md": createSkill(readFileSync(join(root, "pkg-template/SKILL.md"), "utf8"), reference),
    "llms.txt": createIndex(readme, guide, reference, link),
    "llms-full.txt": createFullText([readme, ...guide.values()], reference, size),
  };
}

/** Inserts the size of a bundled page, such as "130 KB", where a document has the comment for it. */
export function insertSize(page, size) {
  return page.replaceAll("<!-- size -->", size);
}

/** Returns the size of a bundled page that the README of the built package states. */
export function readSize(root) {
  return /It adds (\d+ KB)/.exec(readFileSync(join(root, "pkg/README.md"), "utf8"))[1];
}

/** Reads the pages of a folder, as a Map of file names and texts. */
function readPages(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function createSkill(template, reference) {
  const rows = reference.get("reference.md").matchAll(/^\| \[`(.+?)`\]\(.*?\) \| .*? \| (.*?) \| (.*) \| \d+ \|$/gm);
  const methods = Array.from(rows, ([, call, params, result]) => {
    const names = params.replaceAll("`", "");
    return `- \`client.${call}(${names && `{ ${names} }`})\`: ${removeLinks(result).replaceAll("\\|", "|")}`;
  });
  const sections = reference.get("troubleshooting.md").matchAll(/^## (\w+)\n\n(.*)$/gm);
  const codes = Array.from(sections, ([, code, meaning]) => `- \`${code}\`: ${meaning}`);
  return insert(insert(template, "<!-- methods -->", methods.join("\n")), "<!-- codes -->", codes.join("\n"));
}

/** Creates the index: the title and the summary of the README, and a line for each page. */
function createIndex(readme, guide, reference, link) {
  const [, title, summary] = /^# (.+)\n\n([^]*?)\n\n/.exec(removeLinks(readme));
  const list = (pages) => Array.from(pages, ([name, text]) => `- [${readTitle(text)}](${link(name)})`).join("\n");
  const isMethod = ([name]) => !REFERENCE.includes(name);
  return `# ${title}

> ${summary.replaceAll("\n", " ")}

llms-full.txt beside this file has the whole guide. SKILL.md has the mistakes to avoid, all methods and all error codes.

## Guide

${list(guide)}

## Reference

${list([...reference].filter((page) => !isMethod(page)))}

## Methods

${list([...reference].filter(isMethod))}
`;
}

/** Creates the whole text. The fields of records are in one place, so the pages of methods end before them. */
function createFullText(written, reference, size) {
  const isMethod = (name) => !REFERENCE.includes(name);
  const methods = [...reference].filter(([name]) => isMethod(name)).map(([, text]) => text.split(/(?<=```\n)\n## /)[0]);
  const pages = [...written, ...REFERENCE.map((name) => reference.get(name)), ...methods];
  // The site inserts sources at the comments.
  const texts = pages.map((text) =>
    removeLinks(insertSize(text, size))
      .replaceAll(/<!-- \w+ -->\n\n?/g, "")
      .trim(),
  );
  return `${texts.join("\n\n---\n\n")}\n`;
}

function readTitle(page) {
  const [, title] = /^# (.+)$/m.exec(page);
  return title;
}

/** Replaces links to other pages by their text. Links to other sites stay. */
function removeLinks(text) {
  return text.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, "$1");
}

function insert(template, marker, text) {
  if (template.split(marker).length !== 2) throw new Error(`pkg-template/SKILL.md needs the marker ${marker} exactly once`);
  return template.replace(marker, () => text);
}
