import { describe, expect, it } from "vitest";

import { placed, readFlowchart } from "../../dashboard/src/pages/sequences/flowchart.ts";
import { FAMILIES, TYPES } from "../../dashboard/src/api/event-types.ts";
import { mermaidOf } from "../../src/domain/sequences/diagram.ts";
import { OPERATIONS } from "../../src/api/generated.ts";
import { EVENT_TYPE_NAMES } from "../../src/domain/ground/event-types.ts";
import { read } from "../domain/sequences/support.ts";

const definitionOf = () =>
  read([
    { id: "call", call: {}, on: { answered: "wait", unknown: "tiers", otherwise: "tiers" } },
    { id: "tiers", branch: [{ when: 'variables.tier == "gold"', to: "end" }, { otherwise: "again" }] },
    { id: "again", wait: { for: "2h" }, next: "call" },
    { id: "wait", wait: { for: "1d" } },
    { id: "end", suppress: { reason: "asked" } },
  ]);

describe("a sequence that is drawn", () => {
  it("has each of its steps and ways, whatever is written on them", () => {
    const definition = definitionOf();
    const chart = readFlowchart(mermaidOf(definition));
    expect(chart.nodes.map(({ title }) => title)).toEqual([
      definition.name,
      ...definition.steps.map(({ id }) => id),
      "completed",
    ]);
    expect(chart.edges).toContainEqual(expect.objectContaining({ label: 'variables.tier == "gold"' }));
    const keys = chart.nodes.map(({ key }) => key);
    for (const { from, to } of chart.edges) expect(keys).toEqual(expect.arrayContaining([from, to]));
  });

  it("has no two boxes in one place, and each below what leads to it", () => {
    const chart = readFlowchart(mermaidOf(definitionOf()));
    const { nodes } = placed(chart);
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
    const at = new Map(nodes.map((node, index) => [node.key, { ...node, index }]));
    for (const { from, to } of chart.edges) {
      const [above, below] = [at.get(from), at.get(to)];
      if (above && below && above.index < below.index) expect(below.y).toBeGreaterThan(above.y);
    }
  });
});

describe("the live feed of the dashboard", () => {
  it("listens to every event that there is, and makes answers old that there are", () => {
    expect(new Set(TYPES)).toEqual(new Set(EVENT_TYPE_NAMES));
    expect(Object.keys(FAMILIES).toSorted((a, b) => a.localeCompare(b))).toEqual(
      [...new Set(EVENT_TYPE_NAMES.map((type) => type.split(".")[0] ?? ""))].toSorted((a, b) =>
        a.localeCompare(b),
      ),
    );
    const known = new Set(["ofCampaign", ...Object.keys(OPERATIONS)]);
    expect(
      Object.values(FAMILIES)
        .flat()
        .filter((name) => !known.has(name)),
    ).toEqual([]);
  });
});
