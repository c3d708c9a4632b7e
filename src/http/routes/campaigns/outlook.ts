import type { z } from "zod";

import { policyOf } from "../../../domain/campaigns/campaign-spec.ts";
import { dueOf, funnelOf, HOUR_MS, zonesOf, type ContactGroup } from "../../../domain/campaigns/outlook.ts";
import {
  forecastOf,
  rehearse,
  type Forecast,
  type Range,
} from "../../../domain/campaigns/rehearsal/forecast.ts";
import { plannedLines, withBlackouts } from "../../../domain/campaigns/rehearsal/plan-of-spec.ts";
import { planOfStanding } from "../../../domain/campaigns/rehearsal/standing-plan.ts";
import type { DateSpan } from "../../../domain/policy/window-dates.ts";
import type { Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { readContactGroups } from "../../../ledger/campaigns/outlook.ts";
import { listBlackouts } from "../../../ledger/ground/blackouts.ts";
import { createGuestBreather, finishBreathing } from "../../../ledger/ground/breather.ts";
import { readOutcomes } from "../../cost-estimate.ts";
import type { HttpDeps } from "../../deps.ts";
import { localTimes } from "../../local-times.ts";
import { outlookSchema } from "../../wire/campaigns/outlook.ts";
import { isoOf } from "../../wire/instant.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import { shareAnswers } from "./shared-answers.ts";
import type { Routes } from "../../route-scope.ts";

/*
 * What is to come. It reads the row of each contact and rehearses what is left, and so is a guest of those who dial:
 *
 * 1. One is worked on at a time; others wait for their turn, each campaign once, however many ask.
 * 2. It is kept for a minute, and for twenty times as long as it took: whatever a campaign's size, its page costs a
 *    twentieth of a connection at most.
 */

const KEPT_AT_LEAST_MS = 60_000;
const KEPT_TIMES = 20;

/** The range of a rehearsal is of so many. */
const RUNS = 10;

/** What fits on a screen. */
const MOST_ZONES = 48;

/** A week of them is drawn. */
const MOST_HOURS = 168;

type OutlookWire = z.output<typeof outlookSchema>;

interface Kept {
  outlook: OutlookWire;
  tookMs: number;
}

export function outlookRoutes(deps: HttpDeps): Routes {
  const kept = shareAnswers<Kept>();
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  return async (app) => {
    app.get(
      "/v1/campaigns/:ref/outlook",
      { schema: { params: campaignParams, querystring: brandQuery, response: { 200: outlookSchema } } },
      async (request) => {
        const campaign = await requireCampaign(deps.ledger.db, request.params.ref, request.query.brand);
        // Another state or policy is another outlook, and whoever changed it looks at once.
        const key = `${campaign.id} ${campaign.state} ${campaign.policyVersion}`;
        const { outlook } = await kept.of(
          key,
          ({ tookMs }) => Math.max(KEPT_AT_LEAST_MS, KEPT_TIMES * tookMs),
          () => inTurn(() => lookAhead(deps, campaign)),
        );
        return outlook;
      },
    );
  };
}

async function lookAhead(deps: HttpDeps, campaign: Campaign): Promise<Kept> {
  const { db } = deps.ledger;
  const beganMs = performance.now();
  const nowMs = deps.now();
  const breathe = createGuestBreather();
  const groups = await readContactGroups(db, { campaignId: campaign.id, nowMs }, breathe);
  const blackouts = await listBlackouts(db, { brand: campaign.brand, nowMs });
  const window = withBlackouts(policyOf(campaign.spec, campaign.policyVersion).window, blackouts);
  const { now, hours, later } = dueOf(groups);
  const { zones, more } = zonesOf(groups, { window, nowMs, most: MOST_ZONES });
  const forecast = await forecastFor(deps, campaign, { groups, blackouts, nowMs, breathe });
  return {
    outlook: {
      at: isoOf(nowMs),
      funnel: funnelOf(groups),
      due: {
        now,
        hours: hours.map((due, hour) => ({ from: isoOf(nowMs + hour * HOUR_MS), ...due })),
        later,
      },
      zones: zones.map(({ open, zones: of, places, contacts }) => ({
        zones: [...of],
        places: [...places],
        contacts,
        open: open.map(({ startMs, endMs }) => ({ from: isoOf(startMs), until: isoOf(endMs) })),
        local: localTimes(nowMs, of),
      })),
      more_zones: more,
      ...forecast,
    },
    tookMs: performance.now() - beganMs,
  };
}

interface Standing {
  groups: readonly ContactGroup[];
  blackouts: readonly DateSpan[];
  nowMs: number;
  breathe: () => Promise<void>;
}

async function forecastFor(
  deps: HttpDeps,
  campaign: Campaign,
  { groups, blackouts, nowMs, breathe }: Standing,
): Promise<Pick<OutlookWire, "forecast" | "forecast_unknown">> {
  const { spec, state, startedAtMs } = campaign;
  const none = (why: string) => ({ forecast: null, forecast_unknown: why });
  if (state === "draining") return none("it is coming to its end, and calls nobody else");
  if (state === "completed" || state === "cancelled") return none("it is over");
  const { lines } = plannedLines(deps.account, spec, undefined);
  const { model, outcomesFrom } = await readOutcomes(deps, spec);
  const standing = planOfStanding(spec, {
    groups,
    blackouts,
    lines,
    rate: deps.rate,
    model,
    fromMs: nowMs,
    shownIn: "UTC",
    sinceMs: startedAtMs ?? undefined,
  });
  if (!standing) return none("nobody is left to call");
  const { plan, factor } = standing;
  const runs = await finishBreathing(rehearse(plan, { runs: RUNS, seed: 1 }), breathe);
  return {
    forecast: forecastView(forecastOf(runs), { plan, factor, lines, outcomesFrom }),
    forecast_unknown: null,
  };
}

function forecastView(
  forecast: Forecast,
  given: {
    plan: { people: { count: number }; fromMs: number };
    factor: number;
    lines: number;
    outcomesFrom: string;
  },
): NonNullable<OutlookWire["forecast"]> {
  const { plan, factor, lines, outcomesFrom } = given;
  const times = ({ low, median, high }: Range): Range => ({
    low: Math.round(low * factor),
    median: Math.round(median * factor),
    high: Math.round(high * factor),
  });
  const { low, median, high } = forecast.endMs;
  return {
    from: isoOf(plan.fromMs),
    end: { low: isoOf(low), median: isoOf(median), high: isoOf(high) },
    calls: times(forecast.calls),
    open: times(forecast.open),
    calls_by_hour: forecast.callsByHour.slice(0, MOST_HOURS).map(({ hour, median: calls }) => ({
      from: isoOf(hour * HOUR_MS),
      calls: Math.round(calls * factor),
    })),
    lines,
    outcomes_from: outcomesFrom,
    runs: forecast.runs,
    people: plan.people.count,
  };
}
