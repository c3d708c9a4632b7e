import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { readCompose } from "../compose/services.ts";
import { objectionTo, objectionToPart } from "./support/command-line.ts";
import { inlineCodes, projectFolder, readDocuments, readText } from "./support/documents.ts";
import { commandsIn, outdialArguments } from "./support/shell.ts";

const documents = readDocuments();
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readText("package.json")));

describe("commands in the documents", () => {
  it("are there to be checked", () => {
    const lines = documents.flatMap(({ fences }) => fences).filter(({ language }) => language === "sh");
    expect(lines.length).toBeGreaterThan(10);
  });

  it("are taken by the program", async () => {
    const objections: string[] = [];
    for (const { name, fences } of documents) {
      for (const { text, line } of fences.filter(({ language }) => language === "sh")) {
        for (const { words } of commandsIn(text)) {
          const args = outdialArguments(words);
          const objection = args && (await objectionTo(args));
          if (objection !== undefined) objections.push(`${name}:${line}: ${words.join(" ")}: ${objection}`);
        }
      }
    }
    expect(objections).toEqual([]);
  });

  it("exist where running text names them", async () => {
    const objections: string[] = [];
    for (const document of documents) {
      for (const { text, line } of inlineCodes(document)) {
        const [command] = commandsIn(text);
        const args = text.includes("...") ? undefined : outdialArguments(command?.words ?? []);
        const objection = args && (await objectionToPart(args));
        if (objection !== undefined) objections.push(`${document.name}:${line}: ${text}: ${objection}`);
      }
    }
    expect(objections).toEqual([]);
  });

  it("of npm are scripts of the project", () => {
    const unknown = documents.flatMap(({ name, text }) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)]
        .filter(([, script = ""]) => !(script in scripts))
        .map(([command]) => `${name}: ${command}`),
    );
    expect(unknown).toEqual([]);
  });

  it("have their options held against the program, so that a wrong one is found", async () => {
    expect(await objectionTo(["run", "c.yaml", "--contacts", "l.csv", "--fast"])).toContain("--fast");
    expect(await objectionTo(["dial"])).toContain("unknown command");
    expect(await objectionTo(["run", "c.yaml"])).toContain("--contacts");
    expect(await objectionToPart(["run", "--amend"])).toBeUndefined();
    expect(await objectionToPart(["run", "--fast"])).toContain("--fast");
  });
});

describe("commands elsewhere", () => {
  it("in comments of the examples are taken by the program", async () => {
    const folder = path.join(projectFolder, "examples");
    const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".yaml"))) {
      for (const [, text = ""] of readText(`examples/${file}`).matchAll(/^# +(outdial .*)$/gm)) {
        const [command] = commandsIn(text);
        expect(await objectionTo(command?.words.slice(1) ?? []), `${file}: ${text}`).toBeUndefined();
      }
    }
  });

  it("of the services in docker-compose.yml are taken by the program", async () => {
    const { services } = readCompose();
    const own = Object.entries(services).filter(([, { build }]) => build !== undefined);
    expect(own.length).toBeGreaterThan(0);
    for (const [name, { command }] of own)
      expect(await objectionTo(command ?? ["worker"]), name).toBeUndefined();
  });

  it("of the Dockerfile are taken by the program", async () => {
    const programs = [...readText("Dockerfile").matchAll(/^(?:HEALTHCHECK .*)?CMD (\[.*\])$/gm)].map(
      ([, json = "[]"]) => z.array(z.string()).parse(JSON.parse(json)),
    );
    expect(programs.length).toBeGreaterThan(0);
    for (const words of programs)
      expect(await objectionTo(outdialArguments(words) ?? words), words.join(" ")).toBeUndefined();
  });
});
