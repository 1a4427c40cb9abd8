// Shows the pictures of a page, which `build.mjs` inserts as fenced blocks of SVG.
import type { MarkdownOptions } from "vitepress";

type MarkdownRenderer = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

export function showPictures(markdown: MarkdownRenderer): void {
  const { fence: renderFence } = markdown.renderer.rules;
  if (!renderFence) throw new Error("VitePress has no rule for fenced blocks");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    return info.trim() === "svg" ? `<figure v-pre>${content}</figure>` : renderFence(tokens, index, ...rest);
  };
}
