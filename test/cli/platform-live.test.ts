import { describe, expect, it, onTestFinished } from "vitest";

import { createPlatform } from "../../src/platform/index.ts";
import { AGENT } from "./support.ts";
import { lineTo, openLine } from "./platform-line.ts";

const jsonLines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line): { kind?: string; role?: string; content?: string; batch?: { status?: string } } =>
      JSON.parse(line),
    );

describe("outdial platform chat talk", () => {
  it("holds a conversation, a line a message, and closes the session", async () => {
    const { sandbox, outdial } = await openLine();
    const input = { stdin: "Hello?\n\nWhat is it about?\n" };
    const end = await outdial(["platform", "chat", "talk", AGENT, "--variable", "name=Ann"], input);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    const roles = end.stdout.split("\n").flatMap((line) => /^(agent|you): \S/.exec(line)?.[1] ?? []);
    expect(roles).toEqual(["agent", "you", "agent", "you", "agent"]);
    expect(end.stdout).toMatch(/^the session \S+ is closed$/m);
    const platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
    const { items } = await platform.chat.list();
    await platform.close();
    expect(items).toMatchObject([{ status: "closed", close_reason: "explicit_close", agent_reply_count: 2 }]);
  });

  it("gives a program a message a line, and takes drafts in a test session", async () => {
    const { outdial } = await openLine();
    const end = await outdial(["platform", "chat", "talk", AGENT, "--draft", "--json"], { stdin: "Hi\n" });
    expect(end.code).toBe(0);
    expect(jsonLines(end.stdout).map(({ role }) => role)).toEqual(["agent", "you", "agent"]);
  });

  it("says what the platform refuses, and sends no message that is too long", async () => {
    const { outdial } = await openLine();
    const gone = await outdial(["platform", "chat", "talk", "no-such-agent"], { stdin: "Hi\n" });
    expect(gone.code).not.toBe(0);
    expect(gone.stderr).toMatch(/chat|agent/);
    const long = await outdial(["platform", "chat", "talk", AGENT], { stdin: `${"x".repeat(4_001)}\nHi\n` });
    expect(long.stderr).toContain("not sent: 4001 characters");
    expect(long.stdout.match(/^you: /gm)).toHaveLength(1);
    const bad = await outdial(["platform", "chat", "talk", AGENT, "--variable", "Ann"]);
    expect(bad).toMatchObject({ code: 2 });
    expect(bad.stderr).toContain("such as name=Ann");
  });
});

describe("outdial platform batch-calls follow", () => {
  /** Follows a batch that is started once its stream is listened to. */
  const followed = async (...options: string[]) => {
    const { sandbox, outdial } = await openLine();
    const platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
    onTestFinished(() => platform.close());
    const { batch_call_id: id } = await platform.batchCalls.create({
      agent_id: AGENT,
      from_number: sandbox.seeds.numbers[0] ?? "",
      contacts: [{ phone_number: "+12125550144" }, { phone_number: "+12125550145" }],
    });
    const end = outdial(["platform", "batch-calls", "follow", id, ...options]);
    await expect.poll(() => sandbox.stats().streamReaders).toBe(1);
    await platform.batchCalls.start(id);
    return end;
  };

  it("shows the stream and the batch until it is over", async () => {
    const end = await followed();
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toContain("stream is open");
    expect(end.stdout).toMatch(/^stream {2}\S/m);
    expect(end.stdout.trimEnd().split("\n").at(-1)).toMatch(/^batch {3}completed, 2 of 2 processed/);
  });

  it("gives a program an event a line", async () => {
    const events = jsonLines((await followed("--json")).stdout);
    expect(events.at(-1)).toMatchObject({ kind: "batch", batch: { status: "completed" } });
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["state", "frame", "batch"]));
  });

  it("ends with the platform's word for a batch that is not there, or a platform that is not", async () => {
    const { outdial } = await openLine();
    expect(await outdial(["platform", "batch-calls", "follow", "no-such"])).toMatchObject({ code: 1 });
    const unset = await lineTo("", "")(["platform", "batch-calls", "follow", "b"]);
    expect(unset.code).toBe(2);
  });
});
