// Module resolution for copies.mjs: what a copy of a module imports is a copy too.
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  const copy = /\?copy=\d+$/.exec(context.parentURL ?? "");
  return copy && specifier.startsWith(".") ? { ...resolved, url: resolved.url + copy } : resolved;
}
