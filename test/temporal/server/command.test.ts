import { expect, test } from "vitest";
import { lastWords, runCommand } from "../../../src/temporal/server/command.ts";

test("a command's output is given back, and its failure with its last words", async () => {
  expect(await runCommand("/bin/sh", ["-c", "echo hello"], { timeoutMs: 15_000 })).toBe("hello\n");
  const failing = runCommand("/bin/sh", ["-c", "echo one; echo two >&2; exit 3"], { timeoutMs: 15_000 });
  await expect(failing).rejects.toThrow("sh ended with 3: two");
  await expect(runCommand("/nowhere/tool", [], { timeoutMs: 5_000 })).rejects.toThrow("tool cannot be run");
});

test("a command that takes too long is ended, even if it does not want to", async () => {
  const stubborn = runCommand("/bin/sh", ["-c", "trap '' TERM; echo busy >&2; while :; do sleep 0.1; done"], {
    // Long enough for a busy machine to begin it.
    timeoutMs: 2_000,
  });
  await expect(stubborn).rejects.toThrow("sh gave up after 2 s: busy");
});

test("a grandchild that keeps the output open does not hold us", async () => {
  // It would hold us for longer than the test may take.
  expect(await runCommand("/bin/sh", ["-c", "sleep 30 & echo done"], { timeoutMs: 15_000 })).toBe("done\n");
});

test("error messages carry no credentials, no colours and no pages of output", () => {
  const output = `${"noise\n".repeat(100)}\u001B[31mERROR\u001B[0m: https://user:secret@index.example/simple\n\n`;
  expect(lastWords(output)).toBe(": noise | noise | ERROR: https://***@index.example/simple");
  expect(lastWords("x".repeat(5_000)).length).toBeLessThan(700);
  expect(lastWords(" \n")).toBe("");
});
