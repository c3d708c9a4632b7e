import { expect, it } from "vitest";

import { coloursOf } from "../../src/cli/view/colours.ts";
import { printable } from "../../src/cli/view/printable.ts";
import { openScreen } from "../../src/cli/view/screen.ts";

const EVIL = "\u001B]0;title\u0007 \u001B[2J \u009B31m \u202Etxt \u001B[38;5;1m \r\u0000\u007F";

it("nothing that came from outside drives the terminal", () => {
  let written = "";
  const screen = openScreen({ isTTY: false, write: (text) => (written += text) }, { live: false });
  screen.say(`first_name = ${EVIL}`);
  // eslint-disable-next-line no-control-regex
  expect(written.slice(0, -1)).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/);
  expect(written).toContain("first_name = \uFFFD]0;title");
});

it("colours of ours, tabs, lines and letters of every writing stay", () => {
  const paint = coloursOf(true);
  for (const text of [
    paint.bold("a"),
    paint.dim("b"),
    paint.green("c"),
    paint.yellow("d"),
    paint.red("e"),
    "ä\tö\nبج 中 👍🏽 e\u0301",
  ]) {
    expect(printable(text)).toBe(text);
  }
});
