import { SLOW_ANSWER_MS, type Transport } from "./transport.ts";

/** Rules over stored calls, over the HTTP API. */
export function rulesOver(transport: Transport) {
  return {
    /** What rules make of a page of a campaign's calls. */
    test: (body: {
      definition: unknown;
      step?: string | undefined;
      against?: unknown;
      campaign: string;
      brand: string;
      after: number;
      contacts?: number;
    }) =>
      // Each of its calls is read from the platform.
      transport.ask("testRules", { body }, { answerWithinMs: SLOW_ANSWER_MS }),
  };
}
