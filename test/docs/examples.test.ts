import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { readSpecFile } from "../../src/cli/campaigns/run/spec-file.ts";
import { reportJson } from "../../src/cli/view/report.ts";
import { validateContacts } from "../../src/contacts/validate-contacts.ts";
import { readAutomationDefinition } from "../../src/domain/automations/automation.ts";
import { readOutcomeProfile } from "../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { readCampaignSpec } from "../../src/domain/campaigns/campaign-spec.ts";
import { readScheduleDefinition } from "../../src/domain/schedules/schedule.ts";
import { readSequence } from "../../src/domain/sequences/definition.ts";
import { readRoute } from "../../src/domain/notices/route.ts";
import { readTriggerDefinition } from "../../src/domain/triggers/trigger.ts";
import { haltResultSchema, importResultSchema, startResultSchema } from "../../src/http/wire/campaigns.ts";
import { problemSchema } from "../../src/http/wire/problem.ts";
import { suppressionAddedSchema } from "../../src/http/wire/suppressions.ts";
import { stopAllResultSchema, systemSchema } from "../../src/http/wire/system.ts";
import { scenarioSchema } from "../../src/sandbox/scenario.ts";
import { reportOf } from "../cli/support.ts";
import { projectFolder, readDocument, readDocuments, readText } from "./support/documents.ts";
import { commandsIn } from "./support/shell.ts";

const documents = readDocuments();
const NEEDED = {
  name: "x",
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  concurrency: 1,
};

function fencesOf(language: string) {
  return documents.flatMap(({ name, fences }) =>
    fences.filter((fence) => fence.language === language).map(({ text, line }) => ({ name, line, text })),
  );
}

/** What is wrong with a definition, or with a part of one: what it needs besides is put beside its fields. */
function problemsOf(part: object): unknown[] {
  if ("run" in part) {
    // Where its file says what it is, that is read before.
    const { kind: _kind, ...schedule } = { kind: "schedule", ...part };
    return problemsIn(readScheduleDefinition(schedule));
  }
  if ("to" in part) {
    const { kind: _kind, ...route } = { kind: "attention-route", ...part };
    return problemsIn(readRoute(route));
  }
  if ("trigger_type" in part) return problemsIn(readAutomationDefinition(part));
  if ("shares" in part) return problemsIn(readOutcomeProfile(part));
  if ("auth" in part) return problemsIn(readTriggerDefinition(part));
  if (!("steps" in part)) return problemsIn(readCampaignSpec("name" in part ? part : { ...NEEDED, ...part }));
  const { steps } = part;
  if (Array.isArray(steps) && steps.every((step: object) => "id" in step)) {
    const { name, agent_id, from_numbers } = NEEDED;
    return problemsIn(readSequence({ name, agent_id, from_numbers, ...part }));
  }
  return scenarioSchema.safeParse(part).error?.issues ?? [];
}

function problemsIn(reading: { ok: true } | { ok: false; problems: unknown[] }): unknown[] {
  return reading.ok ? [] : reading.problems;
}

describe("examples in the documents", () => {
  it.each(fencesOf("yaml"))("are read by the program: $name:$line", ({ text }) => {
    const value: unknown = parse(text);
    // One that is a comment alone says nothing that could be wrong.
    if (value === null && text.trimStart().startsWith("#")) return;
    expect(value).toBeTypeOf("object");
    expect(problemsOf(value as object)).toEqual([]);
  });

  it.each(fencesOf("json"))("are JSON: $name:$line", ({ text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each(fencesOf("sh").filter(({ text }) => / -d '/.test(text)))("send JSON: $name:$line", ({ text }) => {
    for (const { words } of commandsIn(text)) {
      const body = words[words.indexOf("-d") + 1];
      if (words.includes("-d")) expect(() => JSON.parse(body ?? "") as unknown).not.toThrow();
    }
  });

  it("are answers that the API gives", () => {
    const schemas = [
      systemSchema,
      importResultSchema,
      startResultSchema,
      haltResultSchema,
      suppressionAddedSchema,
      stopAllResultSchema,
      problemSchema,
    ];
    const answers = readDocument("docs/api.md").fences.filter(({ language }) => language === "json");
    expect(answers).toHaveLength(schemas.length);
    for (const [index, { text }] of answers.entries())
      expect(schemas[index]?.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it.each(fencesOf("csv"))("are lists: $name:$line", async ({ text }) => {
    const { rows, stopped } = await validateContacts(Readable.from([Buffer.from(text)]), {
      fileName: "list.csv",
      defaultRegion: "US",
    });
    expect(stopped).toBeNull();
    expect(rows).toMatchObject({ read: rows.ok, rejected: 0 });
  });
});

describe("what a program reads from `--json`", () => {
  it("has the fields that docs/operations.md shows", () => {
    const shown = readDocument("docs/operations.md").fences.find(({ language }) => language === "json");
    const paths = { results: "results.csv", rejects: "rejects.csv", report: "report.json" };
    expect(Object.keys(JSON.parse(shown?.text ?? "") as object)).toEqual(
      Object.keys(reportJson(reportOf(), paths)),
    );
  });
});

describe("examples/", () => {
  const names = fs.readdirSync(path.join(projectFolder, "examples"));

  it.each(names.filter((name) => name.endsWith(".yaml")))("%s is a campaign", (name) => {
    expect(readSpecFile(path.join(projectFolder, "examples", name)).name).not.toBe("");
  });

  it.each(["schedules", "sequences", "triggers"])("%s are read by the program", (folder) => {
    const files = fs
      .readdirSync(path.join(projectFolder, "examples", folder))
      .filter((name) => name.endsWith(".yaml"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect(problemsOf(parse(readText(`examples/${folder}/${file}`)) as object), file).toEqual([]);
  });

  it("demo-contacts.csv has what the demo shows: 500 contacts, bad rows and duplicates", async () => {
    const list = path.join(projectFolder, "examples/demo-contacts.csv");
    const { rows, stopped } = await validateContacts(fs.createReadStream(list), {
      fileName: "demo-contacts.csv",
      defaultRegion: "US",
    });
    expect(stopped).toBeNull();
    expect(rows).toMatchObject({ read: 520, ok: 500, rejected: 8, duplicate: 12 });
  });

  it("the campaign in README.md is examples/spring-renewal.yaml", () => {
    const shown = readDocument("README.md").fences.find(({ language }) => language === "yaml");
    const spec = readSpecFile(path.join(projectFolder, "examples/spring-renewal.yaml"));
    expect(readCampaignSpec(parse(shown?.text ?? ""))).toEqual({ ok: true, spec });
  });
});
