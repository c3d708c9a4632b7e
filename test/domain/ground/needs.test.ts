import { describe, expect, it } from "vitest";

import { needsOf } from "../../../src/domain/ground/needs.ts";

describe("what a definition needs", () => {
  it("is told with its field, by whatever kind of definition", () => {
    const definition = {
      brand: "acme",
      follow_ups: [
        {
          id: "tell",
          actions: [
            {
              webhook: {
                url: "https://crm.example.com/hook",
                secret: "crm",
                headers: { url: "text", "x-key": { secret: "key" } },
              },
            },
            { automation: { workflow_id: "wf-1", data: { url: "contact.url" } } },
            { enroll: { sequence: "welcome", variables: { sequence: "contact.name" } } },
          ],
        },
      ],
      enroll: { brand: "other", sequence: "trial" },
    };
    const at = "follow_ups[0].actions";
    expect(needsOf(definition)).toEqual([
      { kind: "address", field: `${at}[0].webhook.url`, url: "https://crm.example.com/hook" },
      { kind: "secret", field: `${at}[0].webhook.secret`, name: "crm", signs: true },
      { kind: "secret", field: `${at}[0].webhook.headers.x-key.secret`, name: "key", signs: false },
      { kind: "automation", field: `${at}[1].automation.workflow_id`, workflowId: "wf-1" },
      { kind: "sequence", field: `${at}[2].enroll.sequence`, brand: "acme", name: "welcome" },
      { kind: "sequence", field: "enroll.sequence", brand: "other", name: "trial" },
    ]);
  });

  it("is an automation or a campaign that a schedule runs, unless it makes the campaign itself", () => {
    expect(needsOf({ run: { automation: "sync" } })).toEqual([
      { kind: "declared_automation", field: "run.automation", name: "sync" },
    ]);
    expect(needsOf({ run: { brand: "acme", campaign: "Spring" } })).toEqual([
      { kind: "campaign", field: "run.campaign", brand: "acme", name: "Spring" },
    ]);
    expect(needsOf({ run: { campaign: "Spring", spec: {} } })).toEqual([]);
    const spec = { contacts: { url: { secret: "list" } }, follow_ups: [{ webhook: { secret: "crm" } }] };
    expect(needsOf({ run: { campaign: "Spring", spec } })).toEqual([
      { kind: "secret", field: "run.spec.contacts.url.secret", name: "list", signs: false },
      { kind: "secret", field: "run.spec.follow_ups[0].webhook.secret", name: "crm", signs: true },
    ]);
  });

  it("is no automation and no campaign elsewhere", () => {
    const names = { automation: "sync", campaign: "Spring" };
    expect(needsOf({ ...names, on: names })).toEqual([]);
  });

  it("is a secret in a field that only a definition's own is the platform's", () => {
    expect(needsOf({ steps: [{ workflow: { secret: "crm" } }] })).toEqual([
      { kind: "secret", field: "steps[0].workflow.secret", name: "crm", signs: false },
    ]);
  });

  it.each([null, undefined, 7, "text", [null], { a: null, headers: null }, { headers: ["x"] }])(
    "is nothing in %j, which is no definition",
    (value) => {
      expect(needsOf(value)).toEqual([]);
    },
  );

  it("is nothing where authors' own names only look like it, and in the platform's own JSON", () => {
    expect(
      needsOf({
        workflow: { url: "https://x.example.com", secret: "crm" },
        steps: [{ id: "a", set: { secret: "'x'", url: "'y'" } }],
      }),
    ).toEqual([]);
  });
});
