// The site of the guide. `build.mjs` collects its pages in target/guide/pages; all of them lie in one folder.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { renderBlocks } from "./blocks.ts";
import { BASE, relocate } from "./relocate.ts";
import { createSidebar } from "./sidebar.ts";
import { makeExamplesRunnable } from "./runnable-examples.ts";
import { renderForSearch } from "./search.ts";
import { adaptToNarrowScreens } from "./tables.ts";

const PAGES = "../../target/guide/pages";
const { version, repository } = JSON.parse(readFileSync(new URL("../../../pkg/package.json", import.meta.url), "utf8"));

/** `link` leads from the guide to its neighbours on the site. */
const createNeighbour = (text: string, link: string) => ({ text, link, target: "_self" });

export default defineConfig({
  title: "address-query",
  description: "Read any blockchain address from a Blockscout instance, in the browser.",
  lang: "en",
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: PAGES,
  outDir: "../../target/guide/site",
  cacheDir: "../../target/guide/cache",
  base: BASE,
  // Scripts are files instead of inlined into each page, so that the policy of the pages needs to allow one script only.
  metaChunk: true,
  // The policy of the pages does not allow it.
  router: { prefetchLinks: false },
  buildEnd: ({ outDir }) => relocate(outDir),
  markdown: {
    html: false,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      makeExamplesRunnable(markdown);
      renderBlocks(markdown);
      adaptToNarrowScreens(markdown);
    },
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/" },
      { text: "Reference", link: "/reference", activeMatch: "/(reference|options|records|checked|troubleshooting|api-)" },
      { text: "Types", link: "/types-address-query", activeMatch: "/types-" },
      createNeighbour("Demo", "../index.html"),
      { text: `Version ${version}`, link: "/changelog" },
    ],
    sidebar: createSidebar(new URL(`../${PAGES}/`, import.meta.url)),
    outline: [2, 3],
    search: { provider: "local", options: { detailedView: true, _render: renderForSearch } },
    socialLinks: [{ icon: "github", link: repository.url.replace(/^git\+|\.git$/g, ""), ariaLabel: "Repository" }],
    docFooter: { prev: "Previous", next: "Next" },
  },
});
