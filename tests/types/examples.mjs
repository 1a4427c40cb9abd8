// Extracts the code examples of a document: fenced blocks of TypeScript and JavaScript, also those within comments.

/** Returns `{ line, language, code }` per example in one of these languages. The placeholder `{ … }` becomes an empty block. */
export function extractExamples(document, languages = ["ts", "tsx", "js"]) {
  const examples = [];
  let block = null;
  for (const [index, documentLine] of document.split("\n").entries()) {
    const line = documentLine.replace(/^\s*\* ?/, "");
    const fence = /^```(\w*)/.exec(line);
    if (block !== null && fence) {
      if (languages.includes(block.language)) examples.push({ ...block, code: block.code.join("\n").replaceAll("{ … }", "{}") });
      block = null;
    } else if (fence) {
      block = { line: index + 1, language: fence[1], code: [] };
    } else {
      block?.code.push(line);
    }
  }
  if (block !== null) throw new Error(`the code block in line ${block.line} is not closed`);
  return examples;
}
