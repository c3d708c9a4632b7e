import { z } from "zod";

import { silenceText, UNANSWERED_REST_MS, type ScrubAsking } from "../../../domain/policy/scrubbing.ts";
import { sourceNameSchema } from "../../../domain/policy/source-name.ts";
import { readSource, scrubOf } from "../../../ledger/ground/suppression-sources.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { unknownSource } from "../../unknown.ts";
import { isoOf } from "../../wire/instant.ts";
import { sourceCheckedSchema, type SourceCheckedWire } from "../../wire/suppressions.ts";
import { sourceView } from "./sources.ts";
import { requirePhone } from "./suppressions.ts";
import type { Routes } from "../../route-scope.ts";

const checkBody = z.strictObject({
  // Services are paid for each number, and this is to see whether one answers.
  phones: z.array(z.string().min(1).max(40)).min(1).max(10),
  /** The country of numbers without `+`. */
  default_region: z.string().length(2).optional(),
});

type Numbers = SourceCheckedWire["numbers"];

/** Trying a scrubbing service out: what it says of a few numbers now. */
export function sourceCheckRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/suppressions/sources/:name/check",
      {
        schema: {
          description:
            "Asks a scrubbing service about a few numbers now, as it is asked ahead of calls, and says what came back. Nothing is written down: nobody is suppressed or dialed by it, and it is asked whether it is being left alone or not.",
          params: z.strictObject({ name: sourceNameSchema }),
          body: checkBody,
          response: { 200: sourceCheckedSchema },
        },
      },
      async (request) => {
        const { name } = request.params;
        const { phones, default_region } = request.body;
        const source = await readSource(deps.ledger.db, name);
        if (!source) throw unknownSource(name);
        const scrub = scrubOf(source);
        if (!scrub)
          throw new Problem({
            status: 409,
            code: "command_refused",
            detail: `the source ${name} has a list, and is not asked about numbers: check is for scrubbing services (put it with scrub, or look the number up in the list of suppressions)`,
          });
        const asked = [...new Set(phones.map((phone) => requirePhone(phone, default_region)))];
        const atMs = deps.now();
        const beganMs = performance.now();
        const asking = await deps.askScrubber({ ...source, scrub }, asked);
        const latencyMs = Math.round(performance.now() - beganMs);
        return {
          source: sourceView(source, deps.now()),
          latency_ms: latencyMs,
          ...outcomeOf(asking, asked, { atMs, cacheMs: scrub.cacheMs }),
        };
      },
    );
  };
}

function outcomeOf(
  asking: ScrubAsking,
  asked: readonly string[],
  { atMs, cacheMs }: { atMs: number; cacheMs: number },
): Pick<SourceCheckedWire, "outcome" | "status" | "trouble" | "said" | "numbers"> {
  const nothing: Numbers = asked.map((phone) => ({ phone, verdict: null, reason: null, until: null }));
  if (asking.kind === "none")
    return {
      outcome: "away",
      status: null,
      trouble: "the request was given up, since the system is being stopped: ask again",
      said: null,
      numbers: nothing,
    };
  if (asking.kind === "failed") {
    const { failure, status, said = "" } = asking;
    return {
      outcome: failure.kind,
      status: status ?? null,
      trouble: failure.text,
      said: said === "" ? null : said,
      numbers: nothing,
    };
  }
  const { listed, clear } = asking.reading;
  const until = isoOf(atMs + cacheMs);
  const silence = silenceText(asking.reading);
  return {
    outcome: silence === undefined ? "answered" : "silent",
    status: 200,
    trouble: silence ?? null,
    said: null,
    numbers: asked.map((phone): Numbers[number] => {
      if (listed.has(phone)) return { phone, verdict: "listed", reason: listed.get(phone) ?? null, until };
      if (clear.has(phone)) return { phone, verdict: "clear", reason: null, until };
      return { phone, verdict: "unanswered", reason: null, until: isoOf(atMs + UNANSWERED_REST_MS) };
    }),
  };
}
