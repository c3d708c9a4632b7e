import { ConflictError } from "../errors.ts";
import { check } from "../checks.ts";
import type { ChatSession } from "../operations/chat.ts";
import { sendRules } from "../operations/chat.ts";
import type { Chat } from "../resources/chat.ts";
import { JoinedRoom } from "./joined-room.ts";
import type { JoinOptions, RoomMessage } from "./joined-room.ts";
import { Queue } from "./queue.ts";

/**
 * A chat over a room. `for await` of it gives what the agent says, the greeting first, until the session is over. What
 * the agent says while the room is lost is in the session's messages, and not here.
 */
export interface ChatRoom extends AsyncIterable<RoomMessage> {
  /**
   * A message of 1 to 4,000 characters. Resolves when it is sent, which waits up to 20 seconds for the agent where that is
   * not in the room; the answer comes as everything that the agent says.
   *
   * @throws ConnectionError where the room is not connected, or the agent does not come: `effect` says whether it was sent
   */
  send(content: string): Promise<void>;
  /** Leaves the room and closes the session. A session that is closed already stays as it is. */
  close(): Promise<void>;
  /** How many messages were left out, since nobody read them. */
  readonly missed: number;
}

/** Contract 4.11. */
const TOPIC = "lk.chat";

/** A session has two hundred at most. */
const MOST_WAITING = 1_000;

/** Joins the room of a session that was created with transport `livekit`. */
export async function joinChat(
  chat: Pick<Chat, "get" | "close">,
  session: ChatSession,
  { signal }: JoinOptions = {},
  onRoom: (room: JoinedRoom) => void = () => {},
): Promise<ChatRoom> {
  const heard = new Queue<RoomMessage>(MOST_WAITING);
  const id = session.session_id;
  const room = await JoinedRoom.join({
    ticket: session,
    topics: [TOPIC],
    onText: (message) => heard.put(message),
    onJoined: async () => {},
    isOver: async () => (await chat.get(id)).status === "closed",
    signal,
    onClosed: (failure) => heard.end(failure),
  });
  onRoom(room);
  return {
    send: async (content) => {
      await room.write(check("chat.send", sendRules, { content }).content, TOPIC);
    },
    close: async () => {
      await room.leave();
      await chat.close(id).catch((error: unknown) => {
        if (!(error instanceof ConflictError)) throw error;
      });
    },
    get missed() {
      return heard.missed;
    },
    [Symbol.asyncIterator]: () => heard.read(),
  };
}
