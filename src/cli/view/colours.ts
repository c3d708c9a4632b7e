/** Paints text; every function leaves it as it is where colours are off. */
export interface Colours {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** Select Graphic Rendition codes (ECMA-48 8.3.117): on, and the one that takes just this back. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
} as const;

export function coloursOf(enabled: boolean): Colours {
  const paint = (name: keyof typeof CODES) => (text: string) =>
    enabled ? `\u001B[${CODES[name][0]}m${text}\u001B[${CODES[name][1]}m` : text;
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    green: paint("green"),
    yellow: paint("yellow"),
    red: paint("red"),
  };
}
