// A decoder of UTF-8 for engines without `TextDecoder`, such as Hermes of React Native. Only ./compat uses it: these engines have no
// WebAssembly either.

/** Decodes valid UTF-8: what the module passes to JavaScript. */
class Utf8Decoder {
  decode(bytes = new Uint8Array()): string {
    let text = "";
    for (let index = 0; index < bytes.length; ) {
      const first = bytes[index++] as number;
      let following = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
      let code = following === 0 ? first : first & (0x3f >> following);
      while (following-- > 0) code = (code << 6) | ((bytes[index++] as number) & 0x3f);
      text += String.fromCodePoint(code);
    }
    return text;
  }
}

/** The decoder of the platform, if it has one. */
export const Decoder: new (label?: string, options?: TextDecoderOptions) => Pick<TextDecoder, "decode"> =
  globalThis.TextDecoder ?? Utf8Decoder;
