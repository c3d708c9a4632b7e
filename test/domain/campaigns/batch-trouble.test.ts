import { expect, it } from "vitest";

import {
  BATCH_TROUBLES,
  isBeforeDialing,
  troubleInWords,
} from "../../../src/domain/campaigns/batch-trouble.ts";

it('each trouble of a batch is told in words of its own, that go on after "a batch"', () => {
  const words = BATCH_TROUBLES.map(troubleInWords);
  expect(new Set(words).size).toBe(BATCH_TROUBLES.length);
  for (const one of words) expect(one).toMatch(/^(?:that|whose) \S/);
});

it("that of coming to dial is its campaign's, that of its end its own", () => {
  expect(BATCH_TROUBLES.filter(isBeforeDialing)).toEqual(["not_created", "not_started", "not_begun"]);
});
