// Puts the examples of a page, fenced blocks of TypeScript and JavaScript, into the component that runs them.
import type { MarkdownOptions } from "vitepress";

type MarkdownRenderer = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
type Fence = NonNullable<MarkdownRenderer["renderer"]["rules"]["fence"]>;
type Tokens = Parameters<Fence>[0];

const LANGUAGES = ["ts", "tsx", "js"];

export function makeExamplesRunnable(markdown: MarkdownRenderer): void {
  const { fence: renderFence } = markdown.renderer.rules;
  if (!renderFence) throw new Error("VitePress has no rule for fenced blocks");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = renderFence(tokens, index, ...rest);
    const { info = "", content = "" } = tokens[index] ?? {};
    const language = info.trim();
    if (!LANGUAGES.includes(language)) return html;
    const before = isContinued(tokens, index) ? findPrevious(tokens, index) : "";
    const attributes = { language, code: encodeURIComponent(content), before: encodeURIComponent(before) };
    const list = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
    return `<ExampleBlock${list.join("")}>${html}</ExampleBlock>`;
  };
}

/** Whether the text above says that the block is in the same file as the example before. */
function isContinued(tokens: Tokens, index: number): boolean {
  const text = tokens.slice(0, index).findLast(({ type }) => type === "inline" || type === "fence");
  return text?.type === "inline" && /In the same file.*:$/.test(text.content);
}

function findPrevious(tokens: Tokens, index: number): string {
  const previous = tokens.slice(0, index).findLast(({ type, info }) => type === "fence" && LANGUAGES.includes(info.trim()));
  return previous?.content ?? "";
}
