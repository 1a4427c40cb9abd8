// Finds the examples in a document: the fenced blocks of TypeScript and JavaScript, also those in comments.

/** → `{ line, language, code }` of each. `{ … }` stands for a body that the reader fills in. */
export function examplesOf(text) {
  const examples = [];
  let open = null;
  for (const [index, full] of text.split("\n").entries()) {
    const line = full.replace(/^\s*\* ?/, "");
    const fence = /^```(\w*)/.exec(line);
    if (open !== null && fence) {
      if (/^(ts|tsx|js)$/.test(open.language)) examples.push({ ...open, code: open.code.join("\n").replaceAll("{ … }", "{}") });
      open = null;
    } else if (fence) {
      open = { line: index + 1, language: fence[1], code: [] };
    } else {
      open?.code.push(line);
    }
  }
  if (open !== null) throw new Error(`the block of line ${open.line} is not closed`);
  return examples;
}
