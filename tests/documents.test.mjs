// The documents for programs that write code: complete, and without links that lead nowhere.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { AddressQueryError } from "../pkg/index.js";
import { createDocuments } from "../pkg-template/build/documents.mjs";
import { DOCUMENTS, REFERENCE_PAGES, ROOT } from "./documents.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");
const METHOD_PAGES = REFERENCE_PAGES.filter((path) => basename(path).startsWith("api-"));
const CALLS = METHOD_PAGES.map((path) => /^# (.+)$/m.exec(read(path))[1]);
const CODES = Array.from(read("target/generated/guide/troubleshooting.md").matchAll(/^## (\w+)$/gm), ([, code]) => code);

test("SKILL.md has each method with its required parameters, and each error code", () => {
  const skill = read("pkg/SKILL.md");
  assert.match(skill, /^---\nname: address-query\ndescription: .{50,}\n---\n/);
  for (const call of CALLS) assert.ok(skill.includes(`\n- \`client.${call}(`), call);
  assert.ok(skill.includes("\n- `client.addressLogs({ address_hash, topic? })`: list of Log\n"));
  for (const code of CODES) assert.ok(skill.includes(`\n- \`${code}\`: `), code);
  assert.ok(skill.length < 20_000, `${skill.length} characters`);
});

test("the help of an error is a section of errors.md, which explains each code", () => {
  const page = read("pkg/errors.md");
  assert.ok(CODES.length > 15);
  for (const code of CODES) {
    const [path, section] = AddressQueryError.create(code, "").help.split("#");
    assert.equal(path, "address-query/errors.md");
    assert.match(page, new RegExp(`^## ${section}\n\n\\w.{20,}`, "m"), code);
  }
  assert.doesNotMatch(page, /\]\(\./);
});

test("llms.txt has each page of the guide, and its links lead to pages", () => {
  const pages = [...DOCUMENTS.filter((path) => path.startsWith("www/guide/")), ...REFERENCE_PAGES].map((path) => basename(path));
  const links = [];
  createDocuments(ROOT, join(ROOT, "target/generated"), "130 KB", (page) => links.push(page) && page);
  assert.deepEqual(links.toSorted(), pages.toSorted());
  const index = read("pkg/llms.txt");
  for (const [, path] of index.matchAll(/\/blob\/main\/(\S+)\)/g)) assert.ok(existsSync(join(ROOT, path)), path);
  assert.match(index, /^# address-query\n\n> Read any blockchain address /);
});

test("llms-full.txt has the text of each page, and no links to pages that are not in it", () => {
  const text = read("pkg/llms-full.txt");
  for (const path of [...DOCUMENTS.filter((path) => path.startsWith("www/guide/")), ...REFERENCE_PAGES]) {
    const [title] = /^# .+$/m.exec(read(path));
    assert.ok(text.includes(`\n${title}\n`), path);
  }
  assert.doesNotMatch(text, /\]\(\.{1,2}\//);
});

test("the README and the guide state the size of a bundled page", () => {
  const [, size] = /It adds (\d+ KB) \(brotli\)/.exec(read("pkg/README.md"));
  assert.equal(read("pkg/llms-full.txt").split(`| ${size} |`).length, 3);
});

test("code of the guide has lines of at most 78 columns", () => {
  const sources = [...DOCUMENTS, ...REFERENCE_PAGES].filter((path) => !path.endsWith("README.md"));
  const long = sources.flatMap((path) =>
    Array.from(read(path).matchAll(/^```(?!cards)\w+\n([^]*?)^```$/gm), ([, code]) => code.split("\n"))
      .flat()
      .filter((line) => line.length > 78)
      .map((line) => `${path}: ${line}`),
  );
  assert.deepEqual(long, []);
});

test("the README has at most 150 lines", () => {
  const lines = read("README.md").split("\n").length - 1;
  assert.ok(lines <= 150, `${lines} lines`);
});

test("the files and commands that the READMEs and CONTRIBUTING.md name exist", () => {
  const targets = new Set(Array.from(read("Makefile").matchAll(/^([a-z0-9-]+):/gm), ([, name]) => name));
  for (const document of ["README.md", "pkg-template/README.md", ".github/CONTRIBUTING.md"]) {
    const text = read(document);
    const links = Array.from(text.matchAll(/\]\((?!https:)([^)#]+)/g), ([, path]) => join(dirname(document), path));
    const names = Array.from(text.matchAll(/`((?:src|pkg-template|www|tests)\/[\w./-]+)`/g), ([, path]) => path);
    for (const path of [...links, ...names]) assert.ok(existsSync(join(ROOT, path)), `${document}: ${path}`);
    for (const [, name] of text.matchAll(/\bmake ([a-z0-9-]+)/g)) assert.ok(targets.has(name), `${document}: make ${name}`);
  }
});
