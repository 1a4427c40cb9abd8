// Divides source code of Solidity, Vyper and Yul into parts with a meaning, for highlighting. It is not a parser and never
// fails.

export type Meaning = "comment" | "string" | "number" | "keyword" | "type" | "plain";

export interface Part {
  meaning: Meaning;
  text: string;
}

const KEYWORDS = new Set(
  `abstract anonymous as assembly assert break calldata case catch class constant constructor continue contract def default delete do
   elif else emit enum error event external fallback final for from function global if immutable implements import in indexed
   interface internal is let leave library log mapping memory modifier new nonpayable not or and override pass payable pragma private
   public pure raise receive return returns revert require self storage struct super switch this throw transient try type unchecked
   using view virtual while with true false True False None nonreentrant`.split(/\s+/),
);

const TYPE = /^(?:u?int\d*|bytes\d*|u?fixed[\dx]*|address|bool|string|var|String|Bytes|DynArray|HashMap|decimal)$/;

/** Each group is a meaning; other characters are plain. Unterminated comments and strings end with the line or the text. */
const TOKEN =
  /(?<comment>\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(?<number>\b(?:0x[\da-fA-F_]+|\d[\d_]*(?:\.\d+)*(?:e-?\d+)?)\b)|(?<word>[A-Za-z_$][\w$]*)/g;

function meaningOf(groups: Record<string, string | undefined>): Meaning {
  const { comment, string, number, word } = groups;
  if (comment !== undefined) return "comment";
  if (string !== undefined) return "string";
  if (number !== undefined) return "number";
  if (word === undefined) return "plain";
  if (KEYWORDS.has(word)) return "keyword";
  return TYPE.test(word) ? "type" : "plain";
}

/** The parts of each line, in order. Joined, they are `source` without its line ends. */
export function toLines(source: string): Part[][] {
  const lines: Part[][] = [[]];
  const add = (text: string, meaning: Meaning) => {
    for (const [index, piece] of text.split(/\r?\n/).entries()) {
      if (index > 0) lines.push([]);
      const line = lines.at(-1) ?? [];
      const last = line.at(-1);
      if (piece === "") continue;
      if (last && last.meaning === meaning) last.text += piece;
      else line.push({ meaning, text: piece });
    }
  };
  let end = 0;
  for (const match of source.matchAll(TOKEN)) {
    add(source.slice(end, match.index), "plain");
    add(match[0], meaningOf(match.groups ?? {}));
    end = match.index + match[0].length;
  }
  add(source.slice(end), "plain");
  return lines;
}
