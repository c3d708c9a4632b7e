import type { ActivityDeps } from "../../activities/deps.ts";
import { noteStepFailure, noteStepSuccess } from "../../activities/ground/failing-steps.ts";
import type { Step } from "../../ledger/ground/failing-steps.ts";
import { readSwitches } from "../../ledger/ground/installation.ts";
import { forgetAnswers, listAskable, type AskedSource } from "../../ledger/ground/scrub-answers.ts";
import { takeTurn, type Visits } from "./scrubbing-turn.ts";

/*
 * Asks scrubbing services about numbers that are called next, many in one request, ahead of planning. A request that is
 * repeated, or made by two, costs what the service asks for it and changes nothing else.
 *
 * Each service has turns of its own, which nobody waits for: one that is slow, or never answers, holds up neither the
 * others nor what else goes on in the process.
 */

export interface Scrubbing {
  /**
   * Begins a turn of each service that may be asked and has none under way here. Returns when they have begun.
   *
   * Safe to repeat.
   */
  begin(): Promise<void>;
  /** When the turns that are under way are over. */
  settled(): Promise<void>;
  /** Gives up what is under way: whoever was asked about and has no answer is asked about again. */
  stop(): Promise<void>;
}

export function createScrubbing(deps: ActivityDeps): Scrubbing {
  const { ledger, log, now } = deps;
  const ending = new AbortController();
  const underWay = new Map<number, Promise<void>>();
  const visits = new Map<number, Visits>();
  const turnOf = async (source: AskedSource) => {
    const step: Step = { of: "chore", id: source.name, verb: "scrub" };
    const known: Visits = visits.get(source.id) ?? new Map<string, number>();
    visits.set(source.id, known);
    try {
      await takeTurn(deps, source, known, ending.signal);
      await noteStepSuccess(deps, step, { asked: false });
    } catch (error) {
      log.warn({ source: source.name, error: String(error) }, "a turn of a scrubbing service broke off");
      await noteStepFailure(deps, step, error);
    } finally {
      underWay.delete(source.id);
    }
  };
  const settled = async () => {
    await Promise.all(underWay.values());
  };
  return {
    async begin() {
      const sources = await listAskable(ledger.db, now());
      if (sources.length === 0) return;
      await forgetAnswers(ledger.db, now());
      const { stopped, recoveryReason } = await readSwitches(ledger.db);
      // Nobody is dialed, and answers grow old.
      if (stopped !== undefined || recoveryReason !== undefined) return;
      for (const source of sources) {
        if (ending.signal.aborted || underWay.has(source.id)) continue;
        underWay.set(source.id, turnOf(source));
      }
    },
    settled,
    async stop() {
      ending.abort();
      await settled();
    },
  };
}
