import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "./connection.ts";
import { RequestReusedError } from "./request-keys.ts";
import { at } from "./sql.ts";

export interface GivenCommand {
  /** The id of what it is given to. */
  subject: string;
  /** Names this giving of it: the same id again is the same command, however late it comes. */
  commandId: string;
  /** What was asked for under that id (request-keys.ts); absent: it is not compared. */
  request: string | undefined;
  nowMs: number;
}

/**
 * Notes that a command is given, in the transaction that carries it out; one that is refused takes the note with it.
 *
 * @returns false where it was given before: a retry must not undo what somebody else commanded since.
 * @throws RequestReusedError where another command was given under this id.
 */
export async function noteCommand(
  tx: Db,
  { subject, commandId, request, nowMs }: GivenCommand,
): Promise<boolean> {
  const noted = await rows(
    tx,
    sql`insert into given_commands (subject, command_id, request, at)
        values (${subject}::uuid, ${commandId}, ${request ?? null}, ${at(nowMs)})
        on conflict do nothing returning 1 as one`,
  );
  if (noted.length > 0) return true;
  const before = await firstRow<{ request: string | null }>(
    tx,
    sql`select request from given_commands where subject = ${subject}::uuid and command_id = ${commandId}`,
  );
  const asked = before?.request ?? undefined;
  if (asked !== undefined && request !== undefined && asked !== request)
    throw new RequestReusedError(commandId, "command");
  return false;
}
