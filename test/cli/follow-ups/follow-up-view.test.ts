import { expect, it } from "vitest";

import { followUpLines } from "../../../src/cli/follow-ups/show.ts";
import { coloursOf } from "../../../src/cli/view/colours.ts";

const AT = "2026-06-01T12:00:00.000Z";

it("a follow-up shows its labels, and each action with what it asked, what came back and what is wrong", () => {
  const id = "11111111-1111-4111-8111-111111111111";
  const lines = followUpLines(
    {
      id,
      campaign_id: id,
      campaign: "Spring",
      phone: "+12025550143",
      zones: ["America/New_York"],
      call_id: "call-1",
      disposition: "answered",
      policy_version: 2,
      state: "failed",
      processing: "processed",
      wait_until: AT,
      hinted_at: null,
      looks: 1,
      rules: ["tell"],
      labels: { mood: "positive" },
      failed_actions: 1,
      created_at: AT,
      ended_at: "2026-06-02T03:30:00.000Z",
      actions: [
        {
          id,
          follow_up_id: id,
          enrolment_id: null,
          owner: "tell",
          n: 0,
          kind: "webhook",
          state: "failed",
          spec: { problems: ["data.plan: no such key"] },
          tries: 10,
          next_try_at: null,
          sent_at: null,
          external_id: null,
          request: { method: "POST" },
          answer: { status: 500 },
          error: "crm.example.com answered 500",
          created_at: AT,
          ended_at: AT,
        },
      ],
    },
    coloursOf(false),
  ).join("\n");
  for (const words of [
    "+12025550143 of Spring: failed",
    "mood = positive",
    "1 look so far",
    "2026-06-01 08:00:00 America/New_York (12:00:00 UTC)",
    "2026-06-01 23:30:00 America/New_York (2026-06-02 03:30:00 UTC)",
    "ended 2026-06-01 08:00:00 America/New_York (12:00:00 UTC)",
    "tell 1: webhook failed (10 tries)",
    `action ${id}`,
    "crm.example.com answered 500",
    "no value: data.plan: no such key",
    'answer {"status":500}',
  ])
    expect(lines).toContain(words);
});
