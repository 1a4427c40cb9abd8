// Runs an example: compiles it, provides what it uses, and reports what it shows, requests and throws.
import { callDeclared } from "./call-declared.ts";
import { compile } from "./compile.ts";
import { createEnvironment } from "./environment.ts";
import { formatError, formatValue } from "./format.ts";
import type { Example, Report } from "./messages.ts";
import { loadModules } from "./modules.ts";

export async function runExample({ code, language, source }: Example, report: (message: Report) => void): Promise<void> {
  const start = performance.now();
  const show = (...values: unknown[]) =>
    report({ kind: "output", text: values.map((value) => formatValue(value)).join(" "), isError: false });
  const showError = (error: unknown) => report({ kind: "output", text: formatError(error), isError: true });
  try {
    const environment = await createEnvironment(source, report, show);
    const { run, imports } = compile(environment.adapt(code), language);
    const modules = await loadModules(imports, environment, show);
    const exports: Record<string, unknown> = {};
    const functions = await run((name) => modules[name], exports);
    await callDeclared({
      code,
      functions,
      exports,
      environment,
      show,
      onRender: () => report({ kind: "rendered" }),
      onError: showError,
    });
    environment.finish();
  } catch (error) {
    showError(error);
  }
  report({ kind: "end", ms: performance.now() - start });
}
