import { keyRotationListSchema, keyRotationSchema, keyStatusSchema } from "../../http/wire/key.ts";
import type { Query, Transport } from "./transport.ts";

export function keysOver(transport: Transport) {
  return {
    status: () => transport.ask(keyStatusSchema, { path: "/v1/keys/status" }),
    rotate: (graceHours: number | undefined) =>
      transport.ask(keyRotationSchema, {
        method: "POST",
        path: "/v1/keys/rotate",
        body: { grace_hours: graceHours },
      }),
    rotations: (query: Query) => transport.ask(keyRotationListSchema, { path: "/v1/keys/rotations", query }),
  };
}
