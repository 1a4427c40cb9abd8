import { defineConfig } from "vite";

type GetModuleInfo = (id: string) => { isEntry: boolean; importers: readonly string[] } | null;

/** Whether the entry imports a module, directly or through others. Dynamic imports do not count. */
function isInitial(id: string, getModuleInfo: GetModuleInfo, visited = new Set<string>()): boolean {
  if (visited.has(id)) return false;
  visited.add(id);
  const info = getModuleInfo(id);
  return info !== null && (info.isEntry || info.importers.some((importer) => isInitial(importer, getModuleInfo, visited)));
}

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
        // The page lists the files that it loads later, with their hashes, which cannot be compressed: these take about half
        // the bytes of the default ones, and tell 268 million versions of a file apart.
        hashCharacters: "hex",
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
        manualChunks: (id, { getModuleInfo }) => {
          // The package is a separate file, which browsers keep when only the page changes.
          if (/\/pkg\/(external|chains)\.js$/.test(id)) return "address-query";
          if (!isInitial(id, getModuleInfo)) return undefined;
          // What the page begins with is one file, whatever else imports parts of it: smaller, and one request.
          return /\/pkg\/[\w-]+\.js$/.test(id) ? "address-query" : "page";
        },
      },
    },
  },
});
