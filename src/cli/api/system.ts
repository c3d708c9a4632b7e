import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/system.ts");

/** How long the answer may take to begin. Milliseconds. */
interface AnswerBounds {
  answerWithinMs?: number;
}

export function systemOver(transport: Transport) {
  return {
    /** Whether the ledger and Temporal answer it. @throws ApiProblemError where one of them does not. */
    ready: () => transport.ask(async () => (await wire()).readySchema, { path: "/readyz" }),
    get: () => transport.ask(async () => (await wire()).systemSchema, { path: "/v1/system" }),
    /** Which ledger it works on. */
    installation: (bounds: AnswerBounds = {}) =>
      transport.ask(async () => (await wire()).installationSchema, { path: "/v1/installation", ...bounds }),
    /** Whether the process answers at all. */
    isUp: (bounds: AnswerBounds = {}) =>
      transport.ask(async () => (await wire()).upSchema, { path: "/healthz", ...bounds }),
    /** Answers when one pass is through: some requests for each call and batch that has no end. */
    sweep: () =>
      transport.ask(async () => (await wire()).sweepSchema, {
        method: "POST",
        path: "/v1/sweep",
        body: {},
        answerWithinMs: 0,
      }),
    /** Answers within seconds, with what was not seen to stop by then. */
    stopAll: (reason: string, { answerWithinMs = 0 }: AnswerBounds = {}) =>
      transport.ask(async () => (await wire()).stopAllResultSchema, {
        method: "POST",
        path: "/v1/stop-all",
        body: { reason },
        answerWithinMs,
      }),
    /**
     * Answers when everything that is found is settled: calls that are up are waited for. Whoever asks vouches for
     * the suppressions: none was lost, or they are in again.
     */
    recover: () =>
      transport.ask(async () => (await wire()).recoverResultSchema, {
        method: "POST",
        path: "/v1/recover",
        body: { suppressions_complete: true, withdrawals_complete: true },
        answerWithinMs: 0,
      }),
    /** Has an embedded ledger copied beside itself; everything else of that system waits meanwhile. */
    copyLedger: () =>
      transport.ask(async () => (await wire()).ledgerCopySchema, {
        method: "POST",
        path: "/v1/ledger/copies",
        body: {},
        answerWithinMs: 0,
      }),
    goOn: (reason: string, bounds: AnswerBounds = {}) =>
      transport.ask(async () => (await wire()).goOnResultSchema, {
        method: "POST",
        path: "/v1/go-on",
        body: { reason },
        ...bounds,
      }),
  };
}
