import DefaultTheme from "vitepress/theme-without-fonts";
import type { Theme } from "vitepress";
import ExampleBlock from "./ExampleBlock.vue";
import { searchOptions } from "./search-options.ts";
import { useEntryInView } from "./sidebar-scroll.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  setup: useEntryInView,
  enhanceApp: ({ app, siteData }) => {
    siteData.value.themeConfig.search.options.miniSearch = searchOptions;
    app.component("ExampleBlock", ExampleBlock);
  },
} satisfies Theme;
