// Loads the typefaces after the page. Until then, local fonts of the same metrics are shown.
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import mono from "@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2?url";

const FACES = [
  new FontFace("Inter Variable", `url(${inter})`, { weight: "100 900" }),
  new FontFace("JetBrains Mono", `url(${mono})`, { weight: "400" }),
];

const INPUTS = ["click", "keyup"];

/** Resolves with the next input of the user. */
const nextInput = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = new AbortController();
    const onInput = () => {
      stop.abort();
      resolve();
    };
    for (const input of INPUTS) addEventListener(input, onInput, { signal: stop.signal });
  });

/**
 * Applies both at once, on an input: at any other time, the content would move without a reason that the user sees. A typeface
 * that fails to load is left out.
 */
export async function loadFonts(): Promise<void> {
  const faces = await Promise.all(FACES.map((face) => face.load().catch(() => null)));
  await nextInput();
  for (const face of faces) if (face) document.fonts.add(face);
}
