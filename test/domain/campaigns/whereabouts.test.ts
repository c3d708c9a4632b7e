import { describe, expect, it } from "vitest";

import { whereUnder } from "../../../src/domain/campaigns/whereabouts.ts";
import { specWith } from "./spec-with.ts";

/** A number of Florida that its holder may have taken along, and a row that speaks of Canada as well. */
const PERSON = {
  zones: ["America/New_York"],
  strictZones: ["America/New_York", "America/Toronto"],
  places: ["US-FL", "US-GA"],
  strictPlaces: ["US", "CA"],
};

const under = (changes: object, person: Parameters<typeof whereUnder>[1] = PERSON) =>
  whereUnder(specWith(changes), person);

describe("a campaign holds somebody", () => {
  it("to their zones alone where it names no preset: places would only make lanes", () => {
    expect(under({ window: "always" })).toEqual({ zones: PERSON.zones, places: [] });
    expect(under({ window: "always", zones: "strict" })).toEqual({ zones: PERSON.strictZones, places: [] });
  });

  it("to their states where one of its presets has rules of states, be it one that another needs", () => {
    expect(under({ presets: ["us-states"] })).toEqual({ zones: PERSON.zones, places: PERSON.places });
    expect(under({ presets: ["fr", "us-states"] }).places).toEqual(PERSON.places);
  });

  it("to their countries, each once and in order, where no preset has rules of states", () => {
    expect(under({ presets: ["us-federal"] })).toEqual({ zones: PERSON.zones, places: ["US"] });
    expect(under({}).places, "careful, where nothing is said").toEqual(["US"]);
    expect(under({ presets: ["us-federal"], zones: "strict" })).toEqual({
      zones: PERSON.strictZones,
      places: ["CA", "US"],
    });
  });

  it("to what is known without the number's prefix, where it asks for that", () => {
    expect(under({ presets: ["us-states"], zones: "strict" })).toEqual({
      zones: PERSON.strictZones,
      places: PERSON.strictPlaces,
    });
  });

  it.each([["us-states"], ["us-federal"]])(
    "to no place under %s where nobody knows more than their zones",
    (preset) => {
      const { zones, strictZones } = PERSON;
      expect(under({ presets: [preset] }, { zones, strictZones })).toEqual({ zones, places: [] });
    },
  );
});
