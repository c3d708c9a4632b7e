import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { readSequence } from "../../src/domain/sequences/definition.ts";
import { mermaidOf } from "../../src/domain/sequences/diagram.ts";
import { given } from "../support/ledgers.ts";
import { readDocument, readText } from "./support/documents.ts";

const { fences } = readDocument("docs/sequences.md");
const fenceOf = (language: string) => given(fences.find((fence) => fence.language === language)).text;
const EXAMPLE = readText("examples/sequences/trial-welcome.yaml");

describe("docs/sequences.md", () => {
  it("shows examples/sequences/trial-welcome.yaml as it is", () => {
    expect(`${fenceOf("yaml")}\n`).toBe(EXAMPLE);
  });

  it("has the diagram that the program draws of it", () => {
    const reading = readSequence(parse(EXAMPLE));
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    expect(`${fenceOf("mermaid")}\n`).toBe(mermaidOf(reading.definition));
  });
});
