import { signDelivery } from "../../../src/outbound/sign.ts";

/*
 * A system that tells of things through a trigger, as real ones do: it signs, waits for an answer, and sends the
 * same again until it hears that it was taken. It keeps what it was answered.
 */

/** The value of the secret that triggers and webhooks of these tests name. */
export const CRM_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** What came of one request. */
export interface Answer {
  key: string;
  startedMs: number;
  endedMs: number;
  /** 0: there was no answer, or none in time. */
  status: number;
  retryAfter: string | undefined;
  deliveryId: string | undefined;
}

export interface Sender {
  readonly answers: Answer[];
  /** Keys that were taken, with the id that each got. */
  readonly taken: Map<string, string>;
  /** Sends until it is taken, and ends only then. */
  deliver(key: string, payload: object): Promise<void>;
  /** Sends once. */
  sendOnce(key: string, payload: object): Promise<Answer>;
}

/** As long as real senders wait, and a machine that does ten other things takes. */
export const ANSWER_WITHIN_MS = 15_000;

/** Real ones come back after seconds to hours; these are in a hurry. */
const COME_BACK_MS = 150;

/** @param addresses where it is taken; a request after the other goes to the next of several */
export function createSender(addresses: string | readonly string[], random: () => number): Sender {
  const doors = [addresses].flat();
  const answers: Answer[] = [];
  const taken = new Map<string, string>();
  let sent = 0;
  const sendOnce = async (key: string, payload: object): Promise<Answer> => {
    const door = doors[sent % doors.length] ?? "";
    sent += 1;
    const answer = await post(door, key, JSON.stringify(payload));
    answers.push(answer);
    const isTaken = answer.status === 200 || answer.status === 202;
    if (isTaken && answer.deliveryId !== undefined) taken.set(key, answer.deliveryId);
    return answer;
  };
  return {
    answers,
    taken,
    sendOnce,
    async deliver(key, payload) {
      while (!taken.has(key)) {
        await sendOnce(key, payload);
        if (!taken.has(key)) await comeBackIn(COME_BACK_MS * (1 + random()));
      }
    },
  };
}

async function post(address: string, key: string, body: string): Promise<Answer> {
  const startedMs = Date.now();
  const none = { key, startedMs, status: 0, retryAfter: undefined, deliveryId: undefined };
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...signDelivery({ name: "crm", values: [CRM_SECRET] }, { id: key, timestampMs: startedMs, body }),
      },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const said = (await response.json()) as { delivery_id?: string };
    return {
      key,
      startedMs,
      endedMs: Date.now(),
      status: response.status,
      retryAfter: response.headers.get("retry-after") ?? undefined,
      deliveryId: said.delivery_id,
    };
  } catch {
    // Refused, cut off, or too late: the sender can't tell whether it was taken.
    return { ...none, endedMs: Date.now() };
  }
}

function comeBackIn(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, waitMs);
  });
}
