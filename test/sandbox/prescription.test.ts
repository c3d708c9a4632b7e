import { expect, test } from "vitest";

import { outcomeIn } from "../../src/sandbox/prescription.ts";
import { ask, CALLER_ID, eventually, openSandbox, phone, PUBLISHED_AGENT, refusal } from "./support.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

interface ShownCall {
  status: string;
  duration_seconds: number;
  processing_status: string;
  call_analysis: Record<string, unknown> | null;
  call_summary: { text: string } | null;
  transcript: unknown[] | null;
}

async function callOnce(sandbox: Sandbox, variables?: Record<string, string>): Promise<string> {
  const body = {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(0),
    ...(variables && { dynamic_variables: variables }),
  };
  const answer = await ask(sandbox, "POST", "/v1/calls/phone", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body as { call_id: string }).call_id;
}

async function shown(sandbox: Sandbox, id: string): Promise<ShownCall> {
  return (await ask(sandbox, "GET", `/v1/calls/${id}`)).body as ShownCall;
}

async function processed(sandbox: Sandbox, id: string, word = "completed"): Promise<ShownCall> {
  return eventually(async () => {
    const call = await shown(sandbox, id);
    expect(call.processing_status).toBe(word);
    return call;
  });
}

test("a prescribed call shows the analysis, the summary and the transcript that were said", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const outcome = {
    outcome: "answered",
    talk_ms: 44_000,
    analysis: { interested: true, plan: { name: "team" }, call_successful: "overwritten" },
    summary: "Wants an offer.",
    transcript_lines: 30,
  };
  const forced = await ask(sandbox, "POST", "/_sandbox/outcomes", {
    phone_number: phone(0),
    outcomes: [outcome],
  });
  expect(forced.status).toBe(200);
  const call = await processed(sandbox, await callOnce(sandbox));
  expect(call).toMatchObject({
    duration_seconds: 44,
    call_analysis: {
      interested: true,
      plan: { name: "team" },
      call_successful: "overwritten",
      voicemail_detected: false,
    },
    call_summary: { text: "Wants an offer." },
  });
  expect(call.transcript).toHaveLength(30);
});

test("a contact's variables prescribe as well, each answer in a column of its own", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const call = await processed(
    sandbox,
    await callOnce(sandbox, {
      first_name: "Ada",
      sandbox_talk_ms: "90000",
      "sandbox_analysis.interested": "true",
      "sandbox_analysis.score": "7.5",
      "sandbox_analysis.plan": "team",
      "sandbox_analysis.nothing": "null",
      "sandbox_analysis.left_out": " ",
      sandbox_analysis: '{"tags": ["warm"], "plan": "basic"}',
      sandbox_transcript_lines: "1",
    }),
  );
  expect(call.duration_seconds).toBe(90);
  expect(call.transcript).toHaveLength(1);
  expect(call.call_analysis).toMatchObject({
    interested: true,
    score: 7.5,
    plan: "team",
    nothing: null,
    tags: ["warm"],
  });
  expect(call.call_analysis).not.toHaveProperty("left_out");
});

test("what was forced goes before what variables say, and these before the seed", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const variables = { sandbox_outcome: "busy" };
  const busy = await callOnce(sandbox, variables);
  await eventually(async () => expect((await shown(sandbox, busy)).status).toBe("failed"));
  sandbox.outcomes.force(phone(0), ["answered"]);
  const answered = await callOnce(sandbox, variables);
  await eventually(async () => expect((await shown(sandbox, answered)).status).toBe("ended"));
});

test("processing comes late, fails or never ends as prescribed, and an analysis may be missing", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const failed = await processed(
    sandbox,
    await callOnce(sandbox, { sandbox_processing: "failed" }),
    "failed",
  );
  expect(failed.call_analysis).toBeNull();
  const bare = await processed(sandbox, await callOnce(sandbox, { sandbox_analysis: "null" }));
  expect(bare.call_analysis).toBeNull();
  expect(bare.call_summary).not.toBeNull();
  const never = await callOnce(sandbox, { sandbox_processing: "never" });
  await processed(sandbox, never, "processing");
  // Some 17 s at this speed: far longer than the call, and the others, took.
  const late = await callOnce(sandbox, { sandbox_processing_late_ms: "80000000" });
  await processed(sandbox, late, "processing");
  expect((await shown(sandbox, late)).call_analysis).toBeNull();
});

test("words of several dials are taken in turn, and the last one stands", () => {
  const nths = [1, 2, 3, 9].map((nth) => outcomeIn({ sandbox_outcome: "busy, voicemail,answered" }, nth));
  expect(nths).toMatchObject([
    { outcome: { outcome: "busy" } },
    { outcome: { outcome: "voicemail" } },
    { outcome: { outcome: "answered" } },
    { outcome: { outcome: "answered" } },
  ]);
});

test.each([
  [{ sandbox_outcome: "busy, abducted" }, /sandbox_outcome must be one of answered/],
  [{ sandbox_outcom: "busy" }, /sandbox_outcom prescribes nothing: there are sandbox_outcome/],
  [{ sandbox_analysis: "interested" }, /sandbox_analysis must be a JSON object/],
  [{ sandbox_analysis: "[1]" }, /sandbox_analysis must be a JSON object/],
  [{ sandbox_processing: "later" }, /sandbox_processing must be one of completed, failed, never/],
  [{ sandbox_talk_ms: "1e999" }, /sandbox_talk_ms must be a whole number/],
  [{ sandbox_transcript_lines: "-1" }, /sandbox_transcript_lines must be a whole number/],
])("a variable that prescribes what can't be is refused: %o", async (variables, told) => {
  const sandbox = await openSandbox();
  const contacts = [{ phone_number: phone(0), dynamic_variables: variables }];
  const body = { agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, contacts };
  const refused = await refusal(sandbox, "POST", "/v1/batch-calls", body);
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused)).toMatch(told);
});
