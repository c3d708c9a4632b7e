import { Random } from "./random.ts";
import { configOfCall } from "./state/calls.ts";
import type { CallRecord, TranscriptLine } from "./state/calls.ts";

export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

export const DEFAULT_GREETING = "Hello, this is the assistant. Do you have a moment?";

/** How long one line takes to say, on average. Talk of 180 s, the longest, is some 22 lines. */
const LINE_SECONDS = 8;

/**
 * What was said on a call and what analysis made of it. All of it is a function of the seed and the call, made when
 * somebody reads it and stored nowhere: a transcript takes a hundred times the room of its call.
 */
export class Conversation {
  readonly #seed: number;
  readonly #call: CallRecord;

  constructor(seed: number, call: CallRecord) {
    this.#seed = seed;
    this.#call = call;
  }

  #random(part: string): Random {
    return new Random(this.#seed, part, this.#call.phone, this.#call.nth);
  }

  transcript(): TranscriptLine[] {
    const call = this.#call;
    if (call.talk !== null) {
      return [...call.talk.lines];
    }
    const wanted = call.prescribed?.transcriptLines;
    if (wanted !== undefined) {
      return this.#ofLength(wanted);
    }
    return this.#spoken();
  }

  /** So many lines, of what was said and more of the like. */
  #ofLength(lines: number): TranscriptLine[] {
    const spoken = this.#spoken().slice(0, lines);
    const random = this.#random("more");
    while (spoken.length < lines) {
      const start = spoken.length * LINE_SECONDS;
      spoken.push({ role: "agent", content: agentLine(random), start });
    }
    return spoken;
  }

  #spoken(): TranscriptLine[] {
    const call = this.#call;
    if (call.connectedAt === null) {
      return [];
    }
    const greeting = configOfCall(call).greeting_message;
    const opening: TranscriptLine = {
      role: "agent",
      content: greeting === null || greeting === undefined || greeting === "" ? DEFAULT_GREETING : greeting,
      start: 0,
    };
    if (call.outcome === "voicemail") {
      const machine = "You have reached the voicemail of this number. Please leave a message after the tone.";
      return [
        { role: "user", content: machine, start: 0 },
        { ...opening, start: LINE_SECONDS },
      ];
    }
    const random = this.#random("transcript");
    const lines: TranscriptLine[] = [opening];
    for (let start = LINE_SECONDS; start < call.talkMs / 1000; start += LINE_SECONDS) {
      lines.push(
        lines.length % 2 === 1
          ? { role: "user", content: this.#userLine(random, lines.length), start }
          : { role: "agent", content: agentLine(random), start },
      );
    }
    return lines;
  }

  #userLine(random: Random, index: number): string {
    if (index === 1 && this.#call.optedOut) {
      return "Please take me off your list and don't call this number again.";
    }
    if (index === 1 && this.#call.callbackRequested) {
      return "I can't talk right now, could you call me back tomorrow afternoon?";
    }
    return random.pick(
      "Yes, go on.",
      "What would that cost me?",
      "I see. And how long does it take?",
      "I would have to think about it.",
      "That sounds good to me.",
      "Could you say that again, please?",
    );
  }

  /** Null: somebody said that there is none. */
  summary(): { readonly text: string } | null {
    const prescribed = this.#call.prescribed?.summary;
    return prescribed === null ? null : { text: prescribed ?? this.#summaryText() };
  }

  #summaryText(): string {
    const call = this.#call;
    const seconds = Math.round(call.talkMs / 1000);
    if (call.connectedAt === null) {
      return "The call was not answered.";
    }
    if (call.outcome === "voicemail") {
      return `The call reached a voicemail, which recorded ${seconds} seconds.`;
    }
    if (call.optedOut) {
      return `After ${seconds} seconds the contact asked not to be called again.`;
    }
    if (call.callbackRequested) {
      return `The contact had no time and asked to be called back.`;
    }
    return `The agent and the contact talked for ${seconds} seconds.`;
  }

  /** `score` is from -1 to 1. */
  sentiment(): { readonly label: "positive" | "neutral" | "negative"; readonly score: number } {
    const call = this.#call;
    if (call.outcome !== "answered") {
      return { label: "neutral", score: 0 };
    }
    const score = call.optedOut ? -0.8 : round(this.#random("sentiment").next() * 1.8 - 0.8, 2);
    return { label: score > 0.25 ? "positive" : score < -0.25 ? "negative" : "neutral", score };
  }

  /** Null: somebody said that there is none. */
  analysis(): Record<string, unknown> | null {
    const prescribed = this.#call.prescribed?.analysis;
    return prescribed === null ? null : { ...this.#ownAnalysis(), ...prescribed };
  }

  #ownAnalysis(): Record<string, unknown> {
    const call = this.#call;
    return {
      voicemail_detected: call.outcome === "voicemail",
      opted_out: call.optedOut,
      callback_requested: call.callbackRequested,
      call_successful: call.outcome === "answered" && !call.optedOut,
      disconnection_reason: this.#disconnectionReason(),
    };
  }

  #disconnectionReason(): string {
    const call = this.#call;
    if (call.endedByRequest) {
      return "ended_by_request";
    }
    switch (call.outcome) {
      case "answered":
        return call.talk === null
          ? this.#random("hangup").pick("user_hangup", "agent_hangup")
          : call.talk.hungUpBy === null
            ? "room_closed"
            : `${call.talk.hungUpBy}_hangup`;
      case "voicemail":
        return "voicemail_reached";
      case "no_answer":
        return "dial_no_answer";
      case "busy":
        return "dial_busy";
      case "failed":
      case "unreachable":
        return "dial_failed";
    }
  }

  /** Milliseconds, for the parts of the pipeline (contract 2.9 names them). */
  latency(): Readonly<Record<"e2e" | "stt" | "llm" | "tts", Percentiles>> | null {
    if (this.#call.connectedAt === null) {
      return null;
    }
    const random = this.#random("latency");
    const [stt, llm, tts] = [
      percentiles(random, 180),
      percentiles(random, 420),
      percentiles(random, 150),
    ] as const;
    const e2e = {
      p50: stt.p50 + llm.p50 + tts.p50,
      p90: stt.p90 + llm.p90 + tts.p90,
      p95: stt.p95 + llm.p95 + tts.p95,
      p99: stt.p99 + llm.p99 + tts.p99,
    };
    return { e2e, stt, llm, tts };
  }
}

function agentLine(random: Random): string {
  return random.pick(
    "Thank you. Let me explain how it works.",
    "It takes about two weeks, and there is nothing to prepare.",
    "I can send you the details in writing.",
    "Is there anything else that you would like to know?",
    "Of course. Shall I put that down for you?",
  );
}

function percentiles(random: Random, medianMs: number): Percentiles {
  const p50 = Math.round(medianMs * (0.8 + random.next() * 0.4));
  return { p50, p90: Math.round(p50 * 1.6), p95: Math.round(p50 * 1.9), p99: Math.round(p50 * 2.6) };
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
