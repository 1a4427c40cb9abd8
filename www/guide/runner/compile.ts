// Compiles an example to a function. Its imports become calls of `require`.
import { transform } from "sucrase";

type Require = (name: string) => unknown;
type Functions = Record<string, unknown>;

export interface Compiled {
  /** The names of the imported modules. */
  imports: string[];
  /** Runs the code; returns the functions that it declares. */
  run: (require: Require, exports: object) => Promise<Functions>;
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<Functions>;

export function compile(code: string, language: string): Compiled {
  const { code: script } = transform(code, {
    transforms: language === "tsx" ? ["typescript", "jsx", "imports"] : ["typescript", "imports"],
    jsxRuntime: "automatic",
    production: true,
    disableESTransforms: true,
  });
  const imports = Array.from(script.matchAll(/\brequire\((['"])(.+?)\1\)/g), ([, , name = ""]) => name);
  const functions = Array.from(code.matchAll(/^(?:export )?(?:async )?function (\w+)/gm), ([, name = ""]) => name);
  const run = new AsyncFunction("require", "exports", `${script}\nreturn { ${functions.join(", ")} };`);
  return { imports, run };
}
