import { expect, test } from "vitest";

import { openScreen } from "../../src/cli/view/screen.ts";

/** A terminal small enough to follow by hand: a grid, a cursor, and the few codes that we write. */
class Terminal {
  readonly isTTY = true;
  columns: number;
  rows: number;
  lines: string[] = [""];
  row = 0;
  cursorHidden = false;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    // eslint-disable-next-line no-control-regex
    const pattern = /\u001B\[(\?25[lh]|\d*[AJ])|\r|\n|[^\u001B\r\n]+/g;
    for (const [token, code] of text.matchAll(pattern)) this.#take(token, code);
  }

  #take(token: string, code: string | undefined): void {
    if (token === "\n") {
      this.row += 1;
      this.lines[this.row] ??= "";
    } else if (code === "?25l") this.cursorHidden = true;
    else if (code === "?25h") this.cursorHidden = false;
    else if (code === "J") this.lines = [...this.lines.slice(0, this.row), ""];
    else if (code?.endsWith("A"))
      this.row = Math.max(this.lines.length - this.rows, this.row - Number.parseInt(code, 10));
    else if (token !== "\r") this.lines[this.row] = token;
  }

  get shown(): string[] {
    return this.lines.slice(0, -1);
  }
}

test("a picture is drawn in place of the last one, under the lines that stay", () => {
  const terminal = new Terminal(40, 10);
  const screen = openScreen(terminal, { live: true });
  screen.say("begun");
  screen.show(["one", "two"]);
  screen.show(["three"]);
  screen.say("a word in between");
  screen.show(["four", "five"]);
  expect(terminal.shown).toEqual(["begun", "a word in between", "four", "five"]);
  expect(terminal.cursorHidden).toBe(true);
  screen.clear();
  expect(terminal.shown).toEqual(["begun", "a word in between"]);
  expect(terminal.cursorHidden).toBe(false);
});

test("a picture never has more lines than the terminal, nor wider ones", () => {
  const terminal = new Terminal(10, 4);
  const screen = openScreen(terminal, { live: true });
  for (let nth = 0; nth < 3; nth += 1)
    screen.show(Array.from({ length: 9 }, (_, i) => `line ${i} is too long`));
  expect(terminal.shown).toEqual(["line 0 i…", "line 1 i…", "line 2 i…"]);
});

test("without a terminal only the lines that stay are written", () => {
  const written: string[] = [];
  const screen = openScreen({ write: (text) => written.push(text) }, { live: true });
  screen.show(["a picture"]);
  screen.say("a line");
  screen.clear();
  expect(screen.live).toBe(false);
  expect(written).toEqual(["a line\n"]);
});

test("a terminal that can't move its cursor gets lines only", () => {
  const terminal = new Terminal(40, 10);
  const screen = openScreen(terminal, { live: false });
  screen.show(["a picture"]);
  screen.say("a line");
  expect(terminal.shown).toEqual(["a line"]);
});
