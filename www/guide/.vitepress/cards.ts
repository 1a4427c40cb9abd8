// Renders fenced blocks of `cards`: a line per card, with its title, its link and its description between bars.
import type { MarkdownRenderer } from "vitepress";

export function renderCards(markdown: MarkdownRenderer): void {
  const { fence: renderFence } = markdown.renderer.rules;
  if (!renderFence) throw new Error("VitePress has no rule for fenced blocks");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    if (info.trim() !== "cards") return renderFence(tokens, index, ...rest);
    const cards = content
      .trim()
      .split("\n")
      .map((line) => formatCard(line.split(" | ")));
    return `<ul class="cards">${cards.join("")}</ul>`;
  };
}

function formatCard([title, link, text]: string[]): string {
  if (!title || !link || !text) throw new Error(`a card lacks a part: ${title}`);
  return `<li><a href="${link}"><strong>${title}</strong><span>${text}</span></a></li>`;
}
