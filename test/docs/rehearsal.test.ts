import path from "node:path";
import { expect, it } from "vitest";

import { readOutcomeProfile } from "../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { parse } from "yaml";
import { outdial } from "../cli/support.ts";
import { given } from "../support/ledgers.ts";
import { projectFolder, readDocument } from "./support/documents.ts";
import { commandsIn, outdialArguments } from "./support/shell.ts";

const { fences } = readDocument("docs/rehearsal.md");
const commands = fences.filter(({ language }) => language === "sh");
const outputs = fences.filter(({ language }) => language === "text");

it.each([0, 1])("docs/rehearsal.md shows what its command %i says", async (nth) => {
  const [command] = commandsIn(given(commands[nth]).text);
  const args = given(outdialArguments(given(command).words)).map((word) =>
    word.startsWith("examples/") ? path.join(projectFolder, word) : word,
  );
  const { stdout, code } = await outdial(args);
  expect(code).toBe(0);
  expect(stdout.trimEnd()).toBe(given(outputs[nth]).text.trimEnd());
});

it("docs/rehearsal.md shows outcomes that are taken", () => {
  const { text } = given(fences.find(({ language }) => language === "yaml"));
  expect(readOutcomeProfile(parse(text))).toMatchObject({ ok: true });
});
