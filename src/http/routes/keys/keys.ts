import { randomUUID } from "node:crypto";

import { USUAL_GRACE_HOURS } from "../../../domain/keys/key-rotation.ts";
import { listKeyRotations, readKeyRotation, type KeyRotation } from "../../../ledger/keys/key-rotations.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps, KeyInUse } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import {
  keyRotateBody,
  keyRotationListSchema,
  keyRotationSchema,
  keyRotationsQuery,
  keyStatusSchema,
  type KeyRotationWire,
  type KeyStatusWire,
} from "../../wire/keys.ts";
import type { Routes } from "../../route-scope.ts";

/** The platform's key: when it ends, and rotating it. */
export function keyRoutes(deps: HttpDeps): Routes {
  const { ledger, keys } = deps;
  return async (app) => {
    app.get("/v1/keys/status", { schema: { response: { 200: keyStatusSchema } } }, async () =>
      statusView(await keys.status()),
    );

    app.post(
      "/v1/keys/rotate",
      { schema: { body: keyRotateBody, response: { 202: keyRotationSchema } } },
      async (request, reply) => {
        const rotationId = randomUUID();
        const { grace_hours: graceHours = USUAL_GRACE_HOURS } = request.body;
        const refused = await keys.rotate({ rotationId, graceHours, actor: actorOf(request) });
        if (refused !== undefined)
          throw new Problem({ status: 409, code: "rotation_refused", detail: refused });
        const rotation = await readKeyRotation(ledger.db, rotationId);
        if (!rotation) throw new Error(`the rotation ${rotationId} was begun and is not there`);
        return reply.code(202).send(rotationView(rotation));
      },
    );

    app.get(
      "/v1/keys/rotations",
      { schema: { querystring: keyRotationsQuery, response: { 200: keyRotationListSchema } } },
      async (request) => ({
        items: (await listKeyRotations(ledger.db, request.query.limit)).map(rotationView),
      }),
    );
  };
}

function statusView(status: KeyInUse): KeyStatusWire {
  const { key } = status;
  return {
    source: status.file === undefined ? "environment" : "file",
    file: status.file ?? null,
    fixed: status.fixed ?? null,
    key: key
      ? {
          id: key.id,
          name: key.name ?? null,
          prefix: key.key_prefix ?? null,
          scopes: key.scopes ? [...key.scopes] : null,
          expires_at: key.expires_at ?? null,
          grace_period_ends_at: key.grace_period_ends_at ?? null,
          last_used_at: key.last_used_at ?? null,
        }
      : null,
    unknown: status.unknown ?? null,
    ends_at: isoOrNull(status.endsAtMs),
    last_rotation: status.lastRotation ? rotationView(status.lastRotation) : null,
  };
}

function rotationView(rotation: KeyRotation): KeyRotationWire {
  return {
    id: rotation.id,
    state: rotation.state,
    old_key_id: rotation.oldKeyId,
    old_key_prefix: rotation.oldKeyPrefix,
    new_key_id: rotation.newKeyId ?? null,
    new_key_prefix: rotation.newKeyPrefix ?? null,
    tries: rotation.tries,
    grace_hours: rotation.graceHours,
    grace_until: isoOrNull(rotation.graceUntilMs),
    error: rotation.error ?? null,
    actor: rotation.actor,
    created_at: isoOf(rotation.createdAtMs),
    ended_at: isoOrNull(rotation.endedAtMs),
  };
}
