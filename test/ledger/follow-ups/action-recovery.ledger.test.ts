import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";

import { performAction } from "../../../src/activities/follow-ups/actions/perform-action.ts";
import type { ActionSpec } from "../../../src/domain/follow-ups/actions.ts";
import { readAction } from "../../../src/ledger/follow-ups/actions.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { releaseRecovery, requireRecovery } from "../../../src/ledger/ground/installation.ts";
import { createPlatform } from "../../../src/platform/index.ts";
import { createSandbox } from "../../../src/sandbox/sandbox.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { actingOn, drive, give, type Acting } from "../support/acting.ts";

/* Actions of a ledger that is, or was, older than what was done already (I1, I5). */

const COMMON = {
  subject: {},
  retry: { maxTries: 3, delaysMs: [60_000] },
  flow: { inOrder: false, onFailure: "continue" as const },
};

async function sandboxed() {
  const sandbox = await createSandbox({ speed: 10_000 });
  onTestFinished(() => sandbox.close());
  const platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  onTestFinished(() => platform.close());
  const { workflow_id: workflowId } = await platform.workflows.create({
    name: "tell the CRM",
    trigger_type: "webhook",
    workflow_json: { nodes: [] },
  });
  await platform.workflows.deploy(workflowId);
  sandbox.faults.add({ kind: "execution", outcome: "success" });
  return { platform, workflowId };
}

function automation(workflowId: string): ActionSpec {
  return { ...COMMON, kind: "automation", workflowId, data: {}, timeoutMs: 600_000, repeat: "never" };
}

function tag(word: string): ActionSpec {
  return {
    ...COMMON,
    kind: "tag",
    brand: "default",
    phone: "+12025550143",
    tag: word,
    source: "follow-up rule",
  };
}

/** What a ledger of before this follow-up's actions would have of them. */
async function forget({ deps }: Acting, followUpId: string): Promise<void> {
  await rows(deps.ledger.db, sql`delete from actions where follow_up_id = ${followUpId}::uuid`);
  await rows(deps.ledger.db, sql`update follow_ups set state = 'waiting' where id = ${followUpId}::uuid`);
}

withLedger((ledger) => {
  const recovered = async (nowMs: number) => {
    await ledger().transaction((tx) => releaseRecovery(tx, "test", nowMs, {}));
  };

  it("while recovery is required what reaches outside waits, with the reason, and goes on after it", async () => {
    const { platform, workflowId } = await sandboxed();
    const acting = actingOn(ledger(), platform);
    const { ids } = await give(acting, [automation(workflowId), tag("warm")]);
    const [run, word] = [given(ids[0]), given(ids[1])];
    await requireRecovery(ledger().db, "the ledger is older than its workflows", acting.deps.now());

    const held = await performAction(acting.deps, { actionId: run });
    expect(held).toEqual({ state: "due", waitMs: 5 * 60_000 });
    expect(await readAction(ledger().db, run)).toMatchObject({
      state: "due",
      tries: 0,
      error: expect.stringMatching(/outdial recover.*the ledger is older than its workflows/),
    });
    expect(await performAction(acting.deps, { actionId: word })).toMatchObject({ state: "done" });
    expect((await platform.workflows.executions(workflowId, {})).items).toEqual([]);

    await recovered(acting.deps.now());
    acting.forward(5 * 60_000);
    expect(await drive(acting, run)).toMatchObject({ state: "done", tries: 1, error: undefined });
  });

  it("a follow-up whose actions were lost makes them anew under the same ids", async () => {
    const acting = actingOn(ledger(), createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "key" }));
    onTestFinished(() => acting.deps.platform.close());
    const first = await give(acting, [tag("warm"), tag("called")]);
    expect(new Set(first.ids).size).toBe(2);
    expect(first.ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
    await forget(acting, first.followUpId);
    expect((await give(acting, [tag("warm"), tag("called")], first.followUpId)).ids).toEqual(first.ids);
    const other = await give(acting, [tag("warm")]);
    expect(first.ids).not.toContain(other.ids[0]);
  });

  it("a start that a restored ledger has lost is found, and not made again", async () => {
    const { platform, workflowId } = await sandboxed();
    const acting = actingOn(ledger(), platform);
    const { followUpId, ids } = await give(acting, [automation(workflowId)]);
    const id = given(ids[0]);
    expect(await drive(acting, id)).toMatchObject({ state: "done" });
    await forget(acting, followUpId);
    acting.forward(60_000);
    await recovered(acting.deps.now());
    await give(acting, [automation(workflowId)], followUpId);

    expect(await drive(acting, id)).toMatchObject({ state: "done", tries: 1 });
    expect((await platform.workflows.executions(workflowId, {})).items).toHaveLength(1);
    // What was never begun is begun.
    const later = await give(acting, [automation(workflowId)]);
    expect(await drive(acting, later.ids[0])).toMatchObject({ state: "done" });
    expect((await platform.workflows.executions(workflowId, {})).items).toHaveLength(2);
  });
});
