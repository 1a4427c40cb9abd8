// Renders the fenced blocks that are not code: cards, pictures, and declarations whose types are links.
import type { MarkdownRenderer } from "vitepress";

const RENDERERS: Record<string, (content: string) => string> = {
  cards: renderCards,
  linked: renderDeclaration,
  // `build.mjs` inserts pictures as SVG.
  svg: (content) => `<figure v-pre>${content}</figure>`,
};

export function renderBlocks(markdown: MarkdownRenderer): void {
  const { fence: renderFence } = markdown.renderer.rules;
  if (!renderFence) throw new Error("VitePress has no rule for fenced blocks");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    const render = RENDERERS[info.trim()];
    return render ? render(content) : renderFence(tokens, index, ...rest);
  };
}

/** A line per card: its title, its link, its description and, if it has one, its picture between bars. */
function renderCards(content: string): string {
  const cards = content
    .trim()
    .split("\n")
    .map((line) => formatCard(line.split(" | ")));
  return `<ul class="cards">${cards.join("")}</ul>`;
}

function formatCard([title, link, text, picture]: string[]): string {
  if (!title || !link || !text) throw new Error(`a card lacks a part: ${title}`);
  const image = picture ? `<img src="${picture}" alt="" width="400" height="220">` : "";
  return `<li><a href="${link}">${image}<strong>${title}</strong><span>${text}</span></a></li>`;
}

/** TypeScript in which types are written as links of Markdown. */
function renderDeclaration(content: string): string {
  const code = content.trimEnd().replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const html = code.replaceAll(/\[([\w.]+)\]\((\.\/[\w-]+)(#[\w-]+)\)/g, '<a href="$2.html$3">$1</a>');
  return `<div class="language-ts linked" v-pre><pre tabindex="0"><code>${html}</code></pre></div>`;
}
