import { defineConfig } from "vite";

export default defineConfig({
  // Relative URLs, so that the built page works in any folder of a server.
  base: "./",
  // The entry whose module is a file, which the browser compiles while it downloads, outside of the page's main thread.
  resolve: { alias: [{ find: /^address-query$/, replacement: "address-query/external" }] },
  build: {
    outDir: "../target/page",
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would be data URLs, which the Content-Security-Policy of the page does not allow for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rollupOptions: {
      output: {
        // The package is a file of its own, which browsers keep when only the page changes.
        manualChunks: (id) => (/\/pkg\/(external|chains)\.js$/.test(id) ? "address-query" : undefined),
      },
    },
  },
});
