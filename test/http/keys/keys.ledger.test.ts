import { expect, it } from "vitest";

import { readKeyStatus, tryRotation } from "../../../src/activities/keys/key-in-use.ts";
import { keyFileWith, keyProcess, readKey, travelClock } from "../../support/keys.ts";
import { withLedger } from "../../support/ledgers.ts";
import { openApi, openSandbox } from "../support.ts";

withLedger((ledger) => {
  const open = async () => {
    const { sandbox, platform } = await openSandbox();
    const { key, id } = await platform.apiKeys.create({ name: "outdial", expires_in_days: 90 });
    const file = keyFileWith(key);
    const { deps } = keyProcess(ledger(), sandbox, file, travelClock());
    const api = await openApi(ledger(), {
      platform: deps.platform,
      keys: { status: () => readKeyStatus(deps), rotate: (input) => tryRotation(deps, input) },
    });
    return { api, file, key, id, deps };
  };

  it("shows the key in use without showing it, begins one rotation at a time, and lists them", async () => {
    const { api, file, key, id } = await open();
    const status = await api.app.inject({ method: "GET", url: "/v1/keys/status" });
    expect(status.json()).toMatchObject({
      source: "file",
      file,
      fixed: null,
      key: { id, name: "outdial" },
      unknown: null,
      last_rotation: null,
    });
    expect(status.json<{ ends_at: string }>().ends_at).toMatch(/^\d{4}-/);
    expect(status.body).not.toContain(key);
    const rotate = (payload: object) => api.app.inject({ method: "POST", url: "/v1/keys/rotate", payload });
    expect((await rotate({ grace_hours: 0 })).statusCode).toBe(422);
    const begun = await rotate({ grace_hours: 48 });
    expect(begun.statusCode).toBe(202);
    expect(begun.json()).toMatchObject({ state: "rotating", old_key_id: id, grace_hours: 48, actor: "api" });
    const second = await rotate({});
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({ code: "rotation_refused" });
    const listed = await api.app.inject({ method: "GET", url: "/v1/keys/rotations" });
    expect(listed.json<{ items: unknown[] }>().items).toHaveLength(1);
    expect(readKey(file)).toBe(key);
  });
});
