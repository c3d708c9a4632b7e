import type { Transport } from "./transport.ts";

/** How long the answer may take to begin. Milliseconds. */
interface AnswerBounds {
  answerWithinMs?: number;
}

export function systemOver(transport: Transport) {
  return {
    /** Whether the ledger and Temporal answer it. @throws ApiProblemError where one of them does not. */
    ready: () => transport.ask("checkReady"),
    get: () => transport.ask("readSystem"),
    /** Which ledger it works on. */
    installation: (bounds: AnswerBounds = {}) => transport.ask("readInstallation", {}, bounds),
    /** Whether the process answers at all. */
    isUp: (bounds: AnswerBounds = {}) => transport.ask("checkAlive", {}, bounds),
    /** Answers when one pass is through: some requests for each call and batch that has no end. */
    sweep: () => transport.ask("sweep", { body: {} }, { answerWithinMs: 0 }),
    /** Answers within seconds, with what was not seen to stop by then. */
    stopAll: (reason: string, { answerWithinMs = 0 }: AnswerBounds = {}) =>
      transport.ask("stopAll", { body: { reason } }, { answerWithinMs }),
    /**
     * Answers when everything that is found is settled: calls that are up are waited for. Whoever asks vouches for
     * the suppressions: none was lost, or they are in again.
     */
    recover: () =>
      transport.ask(
        "recoverLedger",
        { body: { suppressions_complete: true, withdrawals_complete: true } },
        { answerWithinMs: 0 },
      ),
    /** Has an embedded ledger copied beside itself; everything else of that system waits meanwhile. */
    copyLedger: () => transport.ask("copyLedger", { body: {} }, { answerWithinMs: 0 }),
    goOn: (reason: string, bounds: AnswerBounds = {}) => transport.ask("goOn", { body: { reason } }, bounds),
  };
}
