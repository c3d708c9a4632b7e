import type { FaultOf } from "./faults.ts";

/** Above what any client should take in one frame. */
const OVERSIZE_BYTES = 4 * 1024 * 1024;

/** An id that no record has. */
const STRANGE_ID = "deadbeef-dead-4eef-8ead-beefdeadbeef";

/** What the reader gets instead of a message. */
export function garble(message: string, mode: FaultOf<"stream_garble">["mode"]): string {
  switch (mode) {
    case "not_json":
      return `<html>${message.slice(0, 20)}`;
    case "oversize":
      return `${message.slice(0, -1)},"padding":"${"x".repeat(OVERSIZE_BYTES)}"}`;
    case "wrong_ids":
      return message.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, STRANGE_ID);
    case "false_status":
      return message
        .replaceAll(/"status":"[a-z_]+"/g, `"status":"completed"`)
        .replaceAll(/"(pending|active)":\d+/g, `"$1":0`);
  }
}
