import { defineConfig } from "vite";

export default defineConfig({
  // Relative URLs, so that the built page works in any folder of a server.
  base: "./",
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
        manualChunks: (id) => (/\/pkg\/(index|chains)\.js$/.test(id) ? "address-query" : undefined),
      },
    },
    // The package is one large file on purpose: it contains the WebAssembly module.
    chunkSizeWarningLimit: 2000,
  },
});
