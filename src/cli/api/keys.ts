import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/keys.ts");

export function keysOver(transport: Transport) {
  return {
    status: () => transport.ask(async () => (await wire()).keyStatusSchema, { path: "/v1/keys/status" }),
    rotate: (graceHours: number | undefined) =>
      transport.ask(async () => (await wire()).keyRotationSchema, {
        method: "POST",
        path: "/v1/keys/rotate",
        body: { grace_hours: graceHours },
      }),
    rotations: (query: Query) =>
      transport.ask(async () => (await wire()).keyRotationListSchema, { path: "/v1/keys/rotations", query }),
  };
}
