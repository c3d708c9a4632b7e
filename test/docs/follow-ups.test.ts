import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

import { ACTION_KINDS, ACTION_STATES } from "../../src/domain/follow-ups/actions.ts";
import { ATTENTION_KINDS } from "../../src/domain/ground/attention.ts";
import { readCampaignSpec } from "../../src/domain/campaigns/campaign-spec.ts";
import { readCallbackTime } from "../../src/domain/follow-ups/callback-time.ts";
import { formatDurationMs } from "../../src/domain/time/duration.ts";
import { planFollowUp } from "../../src/domain/follow-ups/follow-up-plan.ts";
import { FOLLOW_UP_STATES } from "../../src/http/wire/follow-ups.ts";
import { signDelivery } from "../../src/outbound/sign.ts";
import { codesIn, readTables } from "../domain/support/markdown-tables.ts";
import { given } from "../support/ledgers.ts";
import { readDocument, readText } from "./support/documents.ts";

const page = new URL("../../docs/follow-ups.md", import.meta.url);
const { fences } = readDocument("docs/follow-ups.md");
const fenceOf = (language: string) => given(fences.find((fence) => fence.language === language)).text;
const firstCodes = (rows: string[][] | undefined) => given(rows).map(([cell]) => codesIn(cell)[0] ?? "");

type IsGenuine = (
  secret: string,
  headers: Record<string, string>,
  body: string,
  nowSeconds?: number,
) => boolean;

describe("the receiver in docs/follow-ups.md", () => {
  const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const OLD = "whsec_d2hhdCB3YXMgYmVmb3JlIHRoYXQgb25l";
  const body = JSON.stringify({ type: "follow_up.interested", data: { customer: "Zoë" } });
  const timestampMs = 1_795_292_647_000;
  const headers = {
    ...signDelivery({ name: "crm", values: [SECRET, OLD] }, { id: "a-1", timestampMs, body }),
  };
  let folder = "";
  let isGenuine: IsGenuine;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-receiver-"));
    const file = path.join(folder, "receiver.mjs");
    fs.writeFileSync(file, fenceOf("js"));
    ({ isGenuine } = (await import(pathToFileURL(file).href)) as { isGenuine: IsGenuine });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const atSeconds = timestampMs / 1_000;

  it("takes what Outdial signs, by the new secret and by the one before it", () => {
    expect(isGenuine(SECRET, headers, body, atSeconds)).toBe(true);
    expect(isGenuine(OLD, headers, body, atSeconds + 299)).toBe(true);
  });

  it("refuses what was changed, what is old, and what is signed by nobody", () => {
    expect(isGenuine(SECRET, headers, `${body} `, atSeconds)).toBe(false);
    expect(isGenuine(SECRET, { ...headers, "webhook-id": "a-2" }, body, atSeconds)).toBe(false);
    expect(isGenuine(SECRET, headers, body, atSeconds + 301)).toBe(false);
    expect(isGenuine(SECRET, { ...headers, "webhook-timestamp": "soon" }, body, atSeconds)).toBe(false);
    expect(isGenuine("whsec_AAAA", headers, body, atSeconds)).toBe(false);
    expect(isGenuine(SECRET, {}, body, atSeconds)).toBe(false);
  });
});

/** What the example's rules make of an answered call of somebody who is interested. */
function planOfExample() {
  const reading = readCampaignSpec(parse(fenceOf("yaml")));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return planFollowUp({
    followUpId: "f",
    contactId: 1,
    facts: {
      rules: given(reading.spec.follow_ups),
      attempt: {
        number: 1,
        disposition: "answered",
        reason: null,
        call_id: "c",
        started_at: null,
        ended_at: null,
        duration_seconds: 44,
      },
      contact: { phone: "+12025550144", region: "US" },
      zones: ["America/New_York"],
      variables: { customer_id: "4711" },
      campaign: { id: "p", name: "renewal-with-follow-ups", brand: "default", run: 1 },
    },
    call: { call_analysis: { interest: "high" }, call_summary: "Wants an offer by mail." },
    isUnprocessed: false,
    nowMs: 0,
  });
}

describe("docs/follow-ups.md", () => {
  const [webhook, enrolment] = planOfExample().actions.map(({ spec }) => spec);

  it("shows a message with the fields that its own example makes", () => {
    const shown = JSON.parse(fenceOf("json")) as Record<string, object>;
    if (webhook?.kind !== "webhook") throw new Error(`the first action is a ${webhook?.kind ?? "nothing"}`);
    expect(shown["type"]).toBe(webhook.type);
    expect(shown["data"]).toEqual(webhook.data);
    expect(Object.keys(given(shown["subject"])).sort()).toEqual(Object.keys(webhook.subject).sort());
    expect(Object.keys(shown)).toEqual(["type", "timestamp", "id", "subject", "data"]);
  });

  it("has ways to say when to call that are read so, and some that are not", () => {
    const saidAtMs = Date.parse("2026-11-24T14:00:00Z");
    const read = (said: string) =>
      readCallbackTime({ said, zones: ["America/New_York"], saidAtMs, nowMs: saidAtMs }).kind;
    const rows = given(readTables(page).get("what was said"));
    const readable = rows.flatMap(([cell]) => codesIn(cell));
    expect(readable.length).toBeGreaterThan(20);
    const nothing = new Set(["none", "not specified", "any time"]);
    expect(readable.filter((said) => read(said) !== (nothing.has(said) ? "nothing" : "at"))).toEqual([]);
    const [unreadable = ""] =
      /What is not in the table \(([^)]*)\)/.exec(readText("docs/follow-ups.md"))?.slice(1) ?? [];
    expect(codesIn(unreadable)).toHaveLength(3);
    expect(codesIn(unreadable).map(read)).toEqual(["unreadable", "unreadable", "unreadable"]);
  });

  it("has every action with its own times of tries, and every state", () => {
    const tables = readTables(page);
    const rows = given(tables.get("action"));
    expect(rows.flatMap(([cell]) => codesIn(cell)).sort()).toEqual([...ACTION_KINDS].sort());
    const timesOf = (spec: typeof webhook) =>
      given(spec)
        .retry.delaysMs.map((ms) =>
          formatDurationMs(ms)
            .replace(/m$/, "min")
            .replace(/(?=[a-z])/, " "),
        )
        .join(", ");
    expect(rows.map(([, , times]) => given(times).split(": ")[0])).toEqual([webhook, enrolment].map(timesOf));
    expect(firstCodes(tables.get("state of a follow-up"))).toEqual([...FOLLOW_UP_STATES]);
    expect(firstCodes(tables.get("state of an action"))).toEqual([...ACTION_STATES]);
  });
});

it("docs/operations.md names kinds of the attention list that there are, each once", () => {
  const kinds = firstCodes(readTables(new URL("../../docs/operations.md", import.meta.url)).get("kind"));
  expect(kinds.length).toBeGreaterThan(0);
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(ATTENTION_KINDS).toEqual(expect.arrayContaining(kinds));
});
