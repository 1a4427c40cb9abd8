// Adapts pages to narrow screens: the cells of tables name their column, and long names break at capitals.
import type { MarkdownRenderer } from "vitepress";

export function adaptToNarrowScreens(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("table-labels", ({ tokens }) => {
    let heads: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === "table_open") heads = [];
      else if (token.type === "tr_open") column = 0;
      else if (token.type === "th_open") heads.push(tokens[index + 1]?.content ?? "");
      else if (token.type === "td_open") token.attrSet("data-label", heads[column++]?.replaceAll("`", "") ?? "");
    }
  });
  const { code_inline: renderCode, text: renderText } = markdown.renderer.rules;
  if (!renderCode || !renderText) throw new Error("markdown-it has no rule for text");
  markdown.renderer.rules.code_inline = (...args) => breakAtCapitals(renderCode(...args));
  markdown.renderer.rules.text = (...args) => breakAtCapitals(renderText(...args));
}

/** Allows a line break before each capital within a word, and after each dot and slash of a path. */
export function breakAtCapitals(html: string): string {
  return html.replaceAll(/(?<=[a-z0-9])(?=[A-Z])(?![^<]*>)|(?<=\w[./_])(?=\w)(?![^<]*>)/g, "<wbr>");
}
