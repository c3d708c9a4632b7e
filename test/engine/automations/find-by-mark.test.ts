import { describe, expect, it } from "vitest";

import { findByMark } from "../../../src/activities/automations/creating.ts";
import type { Platform, Workflow } from "../../../src/platform/index.ts";

const MARK = "[outdial 4f1d#1]";
const NAME = "Ticket after a call";

/** What each walk through the list of automations shows, and what single ones show. */
async function find(walks: (walk: number) => Partial<Workflow>[], whole: Record<string, string> = {}) {
  let walk = 0;
  const asked: string[] = [];
  const iterate = async function* () {
    walk += 1;
    for (const row of walks(walk)) yield row;
  };
  const get = async (id: string) => {
    asked.push(id);
    return { workflow_id: id, description: whole[id] };
  };
  const platform = { workflows: { iterate, get } } as unknown as Platform;
  return { found: await findByMark(platform, MARK, NAME), walks: walk, asked };
}

const other = (n: number): Partial<Workflow> => ({
  workflow_id: `other ${n}`,
  description: "of somebody else",
});
const made: Partial<Workflow> = { workflow_id: "made", description: `Writes a ticket. ${MARK}` };

describe("an automation whose making was not answered", () => {
  it("is found by its mark at once, and by none that only begins like it", async () => {
    expect(await find(() => [other(1), made])).toMatchObject({ found: { workflowId: "made" }, walks: 1 });
    const similar = { workflow_id: "similar", description: `${MARK.slice(0, -1)}2]` };
    expect(await find(() => [similar])).toMatchObject({ found: "none" });
  });

  it("is found where a row that went hid it from the first walk", async () => {
    const shown = [[other(1), other(2)], [other(2)], [other(2), made]];
    expect(await find((walk) => shown[walk - 1] ?? [])).toMatchObject({
      found: { workflowId: "made" },
      walks: 3,
    });
  });

  it("is not there where two walks in a row show the same without it, or more", async () => {
    expect(await find(() => [other(1), other(2)])).toMatchObject({ found: "none", walks: 2 });
    expect(await find((walk) => Array.from({ length: walk }, (_, n) => other(n)))).toMatchObject({
      found: "none",
      walks: 2,
    });
  });

  it("may be there where the list loses a row in each walk: nothing is made again for it", async () => {
    expect(await find((walk) => [other(walk)])).toMatchObject({ found: "moving", walks: 5 });
  });

  it("is looked at by itself, once, where the list shows no descriptions", async () => {
    const bare = ["a", "b", "c"].map((id) => ({ workflow_id: id, name: id === "c" ? "another" : NAME }));
    expect(await find(() => bare, { b: MARK })).toMatchObject({
      found: { workflowId: "b" },
      asked: ["a", "b"],
    });
    expect(await find(() => bare)).toMatchObject({ found: "none", walks: 2, asked: ["a", "b"] });
  });
});
