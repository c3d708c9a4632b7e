import { describe, expect, it } from "vitest";

import { shownVariables } from "../../../src/domain/ground/sealed.ts";

describe("variables as people may see them", () => {
  it("say of a sensitive one that it is there, and nothing of what it says", () => {
    const shown = shownVariables({ name: "Jane", ssn: "left here by mistake" }, ["ssn", "iban"]);
    expect(shown).toEqual({ name: "Jane", ssn: "(sensitive)", iban: "(sensitive)" });
  });

  it("are as they are where none is", () => {
    expect(shownVariables({ name: "Jane" }, [])).toEqual({ name: "Jane" });
  });
});
