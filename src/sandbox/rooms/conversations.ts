import type { Clock } from "../clock.ts";
import { DEFAULT_GREETING } from "../conversation.ts";
import { Random } from "../random.ts";
import type { CallRun } from "../state/call-run.ts";
import { configOfCall } from "../state/calls.ts";
import type { CallRecord } from "../state/calls.ts";
import { filledIn, replyTo } from "../state/chat-script.ts";
import type { ChatRecord, ChatSessions } from "../state/chat-sessions.ts";
import type { RoomConversation } from "./open-room.ts";
import type { RoomAgent } from "./room-agent.ts";

/** As over REST, which refuses them. */
const TOO_LONG = "That message is longer than 4,000 characters, and was not read.";

/** A chat over `lk.chat`: the same session, replies and price as over REST. */
export function chatConversation(session: ChatRecord, sessions: ChatSessions): RoomConversation {
  const isClosed = () => session.closedAt !== null;
  return {
    media: "text",
    begin() {},
    async greet(agent) {
      // Who was greeted, or was faster, needs no greeting any more.
      if (isClosed() || session.messages.length > 0) return;
      const greeting = sessions.greet(session);
      if (greeting !== null) await agent.write(greeting.content);
    },
    async said(text, agent) {
      if (isClosed()) return;
      if (text.length > LONGEST_MESSAGE) {
        await this.tooLong(agent);
        return;
      }
      await agent.write(sessions.send(session, text).assistant.content);
    },
    tooLong: (agent) => agent.write(TOO_LONG),
    // The token is good for another visit.
    left: null,
    over() {
      if (!isClosed()) sessions.close(session, null);
    },
  };
}

/** Contract 4.11. */
const LONGEST_MESSAGE = 4_000;

/** A web call: what is typed is answered aloud; what is said is not understood, since nothing listens. */
export function callConversation(
  call: CallRecord,
  { callRun, clock, seed }: { readonly callRun: CallRun; readonly clock: Clock; readonly seed: number },
): RoomConversation {
  const lines = call.talk?.lines ?? [];
  const note = (role: "agent" | "user", content: string) => {
    const sinceMs = clock.simulated(clock.now() - (call.connectedAt ?? clock.now()));
    lines.push({ role, content, start: Math.round(sinceMs / 10) / 100 });
  };
  const say = (content: string, agent: RoomAgent) => {
    note("agent", content);
    agent.speak(content);
  };
  return {
    media: "audio",
    begin: () => callRun.join(call),
    async greet(agent) {
      const greeting = configOfCall(call).greeting_message ?? DEFAULT_GREETING;
      if (greeting !== "" && lines.length === 0)
        say(filledIn(greeting, call.request?.variables ?? null), agent);
    },
    async said(text, agent) {
      if (call.phase !== "connected") return;
      note("user", text);
      const reply = replyTo(text, new Random(seed, "call text", call.index, lines.length));
      say(reply.content, agent);
      if (reply.ends) {
        await agent.finish();
        callRun.hangUp(call, "agent");
      }
    },
    tooLong: async (agent) => say(TOO_LONG, agent),
    left: () => callRun.hangUp(call, "user"),
    over: (why) => callRun.giveUp(call, why),
  };
}
