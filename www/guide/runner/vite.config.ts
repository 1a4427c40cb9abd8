// Builds the frame that runs the examples.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  logLevel: "error",
  build: {
    outDir: "../../../target/guide/site/runner",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The module of the package is part of its script.
    chunkSizeWarningLimit: 1_000,
  },
});
