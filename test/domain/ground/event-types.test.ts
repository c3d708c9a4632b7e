import { describe, expect, it } from "vitest";

import { EVENT_TYPE_NAMES, EVENT_TYPES } from "../../../src/domain/ground/event-types.ts";

describe("the example of an event", () => {
  it.each(EVENT_TYPE_NAMES)("has the fields that %s says that it has", (name) => {
    const { data, example } = EVENT_TYPES[name];
    expect(data.parse(example)).toEqual(example);
  });
});
