// Module resolution for copies.mjs: a copy of a module also imports copies.
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  const copy = /\?copy=\d+$/.exec(context.parentURL ?? "");
  return copy && specifier.startsWith(".") ? { ...resolved, url: resolved.url + copy } : resolved;
}
