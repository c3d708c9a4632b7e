import { z } from "zod";

import { times } from "./fault-fields.ts";

const ms = z.number().min(0);

/** Faults of rooms on a LiveKit server; a part of the faults in faults.ts. Without such rooms none is taken. */
export const roomFaults = [
  /** The agent never comes into the room. */
  z.strictObject({ kind: z.literal("agent_never_joins"), times }),
  /** The agent is there, and says nothing for so long after somebody joined. */
  z.strictObject({ kind: z.literal("agent_greets_late"), ms, times }),
  /** The room is closed for everybody, so long after somebody joined. */
  z.strictObject({ kind: z.literal("room_drops"), after_ms: ms.optional(), times }),
  /** The token that is handed out has expired. */
  z.strictObject({ kind: z.literal("room_token_expired"), times }),
  /** The LiveKit server is killed and started again, once, now. Only one that the sandbox started. */
  z.strictObject({ kind: z.literal("room_server_restarts") }),
] as const;

export const ROOM_FAULTS: ReadonlySet<string> = new Set(roomFaults.map(({ shape }) => shape.kind.value));
