import { z } from "zod";

/** What needs a room and can't have one answers so: the call has failed then, and the chat is closed. */
export const roomAway = z
  .object({ detail: z.string() })
  .describe("The LiveKit server does not answer, or refuses: the call has failed, or the chat is closed");
