import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

import { readFolder } from "../../src/cli/declared/folder.ts";
import { DECLARED_KINDS, type DeclaredKind } from "../../src/domain/declared/documents.ts";
import { schemaFileText, SCHEMA_NAMES } from "../../src/domain/declared/schemas.ts";
import { projectFolder, readText } from "./support/documents.ts";

/* Out of date? `node scripts/schemas.mjs` writes them. */

const EXAMPLES = path.join(projectFolder, "examples/declared");
const files = fs.readdirSync(EXAMPLES).filter((file) => file.endsWith(".yaml"));

/** Editors read patterns as Unicode ones, as the standard asks for; what checks here does not know their classes. */
const withoutUnicode = (key: string, value: unknown) =>
  key === "pattern" && String(value).includes("\\p{") ? undefined : value;

const schemaOf = (kind: DeclaredKind) =>
  z.fromJSONSchema(
    JSON.parse(schemaFileText(kind), withoutUnicode) as Parameters<typeof z.fromJSONSchema>[0],
  );

const documentsIn = (file: string) =>
  parseAllDocuments(fs.readFileSync(path.join(EXAMPLES, file), "utf8")).map(
    (document) => document.toJS() as { kind: DeclaredKind },
  );

describe("JSON Schemas of documents", () => {
  it.each(SCHEMA_NAMES)("schemas/%s.json is what the program would write today", (name) => {
    expect(readText(`schemas/${name}.json`)).toBe(schemaFileText(name));
  });

  it.each(DECLARED_KINDS)("every field of %s is described", (kind) => {
    const { properties, description } = JSON.parse(schemaFileText(kind)) as {
      properties: Record<string, { description?: string; const?: string }>;
      description: string;
    };
    expect(description).not.toBe("");
    for (const [field, schema] of Object.entries(properties))
      if (field !== "kind") expect(schema.description, field).toBeTypeOf("string");
  });

  it("let the examples pass, and refuse what is misspelt", () => {
    for (const file of files) {
      for (const document of documentsIn(file)) {
        const schema = schemaOf(document.kind);
        const reading = schema.safeParse(document);
        expect(reading.error?.issues ?? [], `${file} ${document.kind}`).toEqual([]);
        expect(schema.safeParse({ ...document, nmae: "x" }).success).toBe(false);
      }
    }
  });
});

describe("examples/declared", () => {
  it("is a folder of valid documents of every kind, each of which names its schema to editors", () => {
    const documents = readFolder(EXAMPLES);
    expect(new Set(documents.map(({ declared }) => declared.kind))).toEqual(new Set(DECLARED_KINDS));
    for (const file of files) {
      const [, schema] =
        /^# yaml-language-server: \$schema=(\S+)\n/.exec(
          fs.readFileSync(path.join(EXAMPLES, file), "utf8"),
        ) ?? [];
      expect(fs.existsSync(path.join(EXAMPLES, schema ?? "nothing")), file).toBe(true);
    }
  });
});
