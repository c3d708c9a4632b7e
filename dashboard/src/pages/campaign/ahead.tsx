import type { AnswerOf } from "outdial/api";

import { useRead } from "../../api/client.ts";
import { ago, clock, count, moment, share, term } from "../../format.ts";
import { Bars, barsOf } from "../../parts/bars.tsx";
import { Figures } from "../../parts/figures.tsx";
import { Section } from "../../parts/page.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { words } from "../../words.ts";
import { openingOf } from "./opening.ts";
import type { PartProps } from "./part.ts";

const say = words.ahead;

export type Outlook = AnswerOf<"readOutlook">;

/** The server keeps it for a minute, and longer where it is dear. */
const ASKED_AGAIN_MS = 60_000;

export function useOutlook(id: string, enabled = true) {
  return useRead("readOutlook", { path: { ref: id } }, { everyMs: ASKED_AGAIN_MS, enabled });
}

/** What is to come: when it ends and by what that is said, who falls due when, and where people may be called. */
export function AheadPart({ campaign: { id, state } }: PartProps) {
  const outlook = useOutlook(id);
  return (
    <Load of={outlook}>
      {(found) => (
        <>
          <Forecast found={found} state={state} />
          <Due found={found} />
          <WorldClock id={id} found={found} />
          <p class="small quiet">{say.at(ago(found.at))}</p>
        </>
      )}
    </Load>
  );
}

function Forecast({ found, state }: { found: Outlook; state: PartProps["campaign"]["state"] }) {
  const { forecast, forecast_unknown: unknown } = found;
  if (forecast === null) {
    return (
      <Section title={say.forecast}>
        <p class="quiet">{say.unknown(unknown ?? words.none)}</p>
      </Section>
    );
  }
  const { end, calls, open, calls_by_hour: hours } = forecast;
  const among = (low: string, high: string) => words.rehearsal.among(low, high);
  return (
    <Section title={say.forecast}>
      <Figures
        of={[
          { name: say.end, value: moment(end.median), under: among(moment(end.low), moment(end.high)) },
          { name: say.calls, value: count(calls.median), under: among(count(calls.low), count(calls.high)) },
          ...(open.high > 0 ? [{ name: say.never, value: count(open.median), under: say.neverOf }] : []),
        ]}
      />
      <p class="small quiet">
        {say.from(forecast.outcomes_from, forecast.lines, forecast.runs)} {say.asIf[state]}
      </p>
      {hours.length > 0 && (
        <>
          <h3>{say.callsByHour}</h3>
          <Bars
            label={say.callsByHour}
            names={[words.rehearsal.callsUnit]}
            bars={barsOf(
              hours.map(({ from, calls: made }) => ({ atMs: Date.parse(from), values: [made] })),
              moment,
            )}
          />
        </>
      )}
    </Section>
  );
}

function Due({ found: { due } }: { found: Outlook }) {
  const sum = (of: "first" | "retries") => due.hours.reduce((all, hour) => all + hour[of], 0);
  const fullest = Math.max(...due.hours.map(({ first, retries }) => first + retries));
  const says = say.dueSays(sum("first"), sum("retries"), fullest);
  return (
    <Section title={say.due}>
      <p>{say.dueNow(due.now.first, due.now.retries)}</p>
      {fullest > 0 && (
        <Bars
          label={says}
          names={[say.retries, say.first]}
          bars={due.hours.map(({ from, first, retries }) => ({ at: from, values: [retries, first] }))}
        />
      )}
      <p class="small quiet">
        {says} {say.dueLater(due.later.first, due.later.retries)}
      </p>
    </Section>
  );
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WIDTH = 480;

/** Where people are, most first, each on the same 24 hours: when they may be called, and what holds them back now. */
function WorldClock({ id, found }: { id: string; found: Outlook }) {
  const holds = useRead("readHolds", { path: { ref: id } }, { everyMs: 30_000 });
  const { zones, at, more_zones: more } = found;
  const heldBy = (of: readonly string[], places: readonly string[]) =>
    holds.data?.items.find((hold) => hold.zones.join() === of.join() && hold.places.join() === places.join());
  return (
    <Section title={say.clock}>
      {zones.length === 0 ? (
        <p class="quiet">{say.clockNone}</p>
      ) : (
        <>
          <p class="small quiet">{say.clockMeans}</p>
          <ul class="clock">
            {zones.map((zone) => {
              const where = [...zone.places, ...zone.zones].join(", ");
              const says = openingOf(zone, at);
              const hold = heldBy(zone.zones, zone.places);
              return (
                <li key={where}>
                  <div class="row">
                    <strong>{where}</strong>
                    <span class="number">{say.people(zone.contacts)}</span>
                    {says.now !== undefined && <span class="quiet number">{says.now}</span>}
                    <span class="quiet" title={says.yours}>
                      {says.opening}
                    </span>
                    {hold && (
                      <span class="quiet small">{words.timeline.because(hold.reason, hold.detail)}</span>
                    )}
                  </div>
                  <Strip where={where} open={zone.open} at={at} />
                </li>
              );
            })}
          </ul>
          {more && <p class="small quiet">{say.clockMore}</p>}
        </>
      )}
    </Section>
  );
}

type Openings = Outlook["zones"][number]["open"];

function Strip({ where, open, at }: { where: string; open: Openings; at: string }) {
  const fromMs = Date.parse(at);
  const place = (moment: string | number) => ((new Date(moment).getTime() - fromMs) / DAY_MS) * WIDTH;
  const hours = open.reduce(
    (sum, { from, until }) => sum + (Date.parse(until) - Date.parse(from)) / HOUR_MS,
    0,
  );
  return (
    <>
      <svg
        class="strip"
        viewBox={`0 0 ${WIDTH} 12`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say.clockLabel(where, Math.round(hours))}
      >
        <rect x="0" y="0" width={WIDTH} height="12" class="day-ground" />
        {open.map(({ from, until }) => (
          <rect
            key={from}
            x={place(from)}
            y="0"
            width={place(until) - place(from)}
            height="12"
            class="day-open"
          />
        ))}
      </svg>
      <p class="row small quiet spread number" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{clock(fromMs + hour * HOUR_MS)}</span>
        ))}
      </p>
    </>
  );
}

/** How far people came: who had an n-th call, and what became of them with it. */
export function Funnel({ id }: { id: string }) {
  const outlook = useOutlook(id);
  return (
    <Section title={say.funnel}>
      <Load of={outlook}>
        {({ funnel, at }) => (
          <>
            <Table
              caption={say.funnel}
              hideCaption
              rows={funnel}
              keyOf={({ call }) => call}
              columns={[
                { name: say.call, heads: true, cell: ({ call }) => (call === 0 ? say.before : count(call)) },
                { name: say.had, end: true, cell: ({ contacts }) => count(contacts) },
                { name: say.endedReached, end: true, cell: ({ done }) => count(done["answered"] ?? 0) },
                {
                  name: say.shareOf,
                  end: true,
                  cell: ({ call, done, contacts }) =>
                    call === 0 ? words.none : share(done["answered"] ?? 0, contacts),
                },
                { name: say.endedOther, cell: ({ done }) => others(done) },
                { name: say.excluded, end: true, cell: ({ excluded }) => count(excluded) },
                { name: say.waits, end: true, cell: ({ open }) => count(open) },
              ]}
            />
            <p class="small quiet">{say.at(ago(at))}</p>
          </>
        )}
      </Load>
    </Section>
  );
}

function others(done: Readonly<Record<string, number>>): string {
  const rest = Object.entries(done)
    .filter(([name]) => name !== "answered")
    .sort(([, a], [, b]) => b - a);
  return rest.map(([name, people]) => `${term(name)} ${count(people)}`).join(", ") || words.none;
}
