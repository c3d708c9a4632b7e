import { printable } from "./printable.ts";
import { fitText } from "./text-width.ts";

/** The part of a terminal's stream that is needed here. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Lines that stay, and under them, in a terminal, a picture that is drawn anew. */
export interface Screen {
  /** Whether pictures are shown at all; without, the caller writes plain lines. */
  readonly live: boolean;
  readonly columns: number;
  /** Writes a line that stays. */
  say(line: string): void;
  /** Shows this picture in place of the last one. */
  show(lines: readonly string[]): void;
  /** Takes the picture away and gives the cursor back. */
  clear(): void;
}

const ESC = "\u001B[";
const HIDE_CURSOR = `${ESC}?25l`;
const SHOW_CURSOR = `${ESC}?25h`;
const CLEAR_DOWN = `${ESC}J`;

/** What a terminal that does not say its size is taken for. */
const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

/**
 * A screen on a stream. The picture never has more lines than the terminal, and no line is wider: the cursor
 * finds back to its beginning by counting lines, which scrolling and wrapping would make wrong.
 */
export function openScreen(stream: TerminalStream, options: { live: boolean }): Screen {
  const live = options.live && stream.isTTY === true;
  let picture: string[] = [];
  let drawnColumns = 0;
  let drawn = 0;

  const columns = () => stream.columns ?? USUAL_COLUMNS;
  const erase = () => {
    if (drawn === 0) return "";
    // A terminal that became narrower has wrapped what was drawn: those lines are counted, too.
    const wrapped = columns() < drawnColumns ? picture.length * Math.ceil(drawnColumns / columns()) : drawn;
    const up = Math.min(wrapped, (stream.rows ?? USUAL_ROWS) - 1);
    drawn = 0;
    return `\r${up > 0 ? `${ESC}${up}A` : ""}${CLEAR_DOWN}`;
  };
  const draw = () => {
    const width = columns() - 1;
    const lines = picture
      .slice(0, Math.max(0, (stream.rows ?? USUAL_ROWS) - 1))
      .map((line) => fitText(line, width));
    drawn = lines.length;
    drawnColumns = columns();
    return lines.map((line) => `${line}\n`).join("");
  };

  return {
    live,
    get columns() {
      return columns();
    },
    say(line) {
      const shown = printable(line);
      stream.write(live ? `${erase()}${shown}\n${draw()}` : `${shown}\n`);
    },
    show(lines) {
      if (!live) return;
      const before = erase();
      picture = lines.map(printable);
      stream.write(`${HIDE_CURSOR}${before}${draw()}`);
    },
    clear() {
      if (!live) return;
      const before = erase();
      picture = [];
      stream.write(`${before}${SHOW_CURSOR}`);
    },
  };
}
