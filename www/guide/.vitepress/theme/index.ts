import DefaultTheme from "vitepress/theme-without-fonts";
import type { Theme } from "vitepress";
import ExampleBlock from "./ExampleBlock.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component("ExampleBlock", ExampleBlock),
} satisfies Theme;
