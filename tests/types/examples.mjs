// Extracts the code examples of a document: fenced blocks of TypeScript and JavaScript, also those within comments.

/**
 * Returns `{ line, language, code, isContinued }` per example in one of these languages. The placeholder `{ … }` becomes an empty block.
 * `isContinued` is whether the text above says that it is in the same file as the example before.
 */
export function extractExamples(document, languages = ["ts", "tsx", "js"]) {
  const examples = [];
  let block = null;
  let above = "";
  for (const [index, documentLine] of document.split("\n").entries()) {
    const line = documentLine.replace(/^\s*\* ?/, "");
    const fence = /^```(\w*)/.exec(line);
    if (block !== null && fence) {
      if (languages.includes(block.language)) examples.push({ ...block, code: block.code.join("\n").replaceAll("{ … }", "{}") });
      block = null;
    } else if (fence) {
      block = { line: index + 1, language: fence[1], code: [], isContinued: /In the same file.*:$/.test(above) };
    } else {
      if (line !== "") above = line;
      block?.code.push(line);
    }
  }
  if (block !== null) throw new Error(`the code block in line ${block.line} is not closed`);
  return examples;
}
