import { useState } from "preact/hooks";

import { useRead } from "../../api/client.ts";
import { count, wallClock } from "../../format.ts";
import { Chart } from "../../parts/chart.tsx";
import { Section } from "../../parts/page.tsx";
import { Load } from "../../parts/state.tsx";
import { Choice } from "../../parts/choice.tsx";
import { words } from "../../words.ts";

const say = words.timeline;
const STRETCHES = ["60", "360"] as const;

/** Calls over time against the lines there are. */
export function Timeline({ id }: { id: string }) {
  const [minutes, setMinutes] = useState<(typeof STRETCHES)[number]>("60");
  const timeline = useRead("readTimeline", { path: { ref: id }, query: { minutes } }, { everyMs: 30_000 });
  return (
    <Section
      title={say.title}
      aside={
        <Choice
          label={say.stretch}
          options={STRETCHES.map((one) => [one, say.stretches[one]] as const)}
          value={minutes}
          choose={setMinutes}
        />
      }
    >
      <Load of={timeline}>
        {({ buckets, concurrency }) => {
          const dials = buckets.reduce((sum, bucket) => sum + bucket.dials, 0);
          const answered = buckets.reduce((sum, bucket) => sum + bucket.answered, 0);
          const most = Math.max(0, ...buckets.map(({ up }) => up));
          const says = say.says({ dials, answered, most, lines: concurrency });
          return (
            <>
              <Chart
                label={says}
                times={buckets.map(({ from }) => Date.parse(from))}
                lines={[
                  { name: say.dials, values: buckets.map((bucket) => bucket.dials) },
                  { name: say.answered, values: buckets.map((bucket) => bucket.answered) },
                  { name: say.up, values: buckets.map(({ up }) => up) },
                  { name: say.lines, values: buckets.map(() => concurrency) },
                ]}
              />
              <p class="small quiet">{says}</p>
            </>
          );
        }}
      </Load>
    </Section>
  );
}

/** What holds people back now and until when, by zone, on a day of 24 hours. */
export function Holds({ id }: { id: string }) {
  const holds = useRead("readHolds", { path: { ref: id } }, { everyMs: 30_000 });
  return (
    <Section title={words.campaign.holds}>
      <Load of={holds} empty={{ when: ({ items }) => items.length === 0, say: words.campaign.holdsNothing }}>
        {({ items, more }) => (
          <>
            <ul class="clock">
              {items.map((hold) => (
                <Hold key={`${hold.zones.join()} ${hold.places.join()} ${hold.reason}`} hold={hold} />
              ))}
            </ul>
            {more && <p class="small quiet">{say.more(items.length)}</p>}
          </>
        )}
      </Load>
    </Section>
  );
}

type ZoneHold = NonNullable<ReturnType<typeof useRead<"readHolds">>["data"]>["items"][number];

/** Hours since their midnight, from a local time with its offset. */
function hourOf(local: string): number {
  const [, hours = "0", minutes = "0"] = /T(\d\d):(\d\d)/.exec(local) ?? [];
  return Number(hours) + Number(minutes) / 60;
}

function Hold({ hold: { zones, places, reason, detail, until, local } }: { hold: ZoneHold }) {
  const [clock] = local;
  const hours = until === null ? undefined : Math.max(0, (Date.parse(until) - Date.now()) / 3_600_000);
  return (
    <li>
      <div class="row">
        <strong>{zones.length === 0 ? say.wholeCampaign : [...places, ...zones].join(", ")}</strong>
        {clock && <span class="number">{say.now(wallClock(clock.at))}</span>}
        <span class="quiet">{say.because(reason, detail)}</span>
      </div>
      {clock && <DayBar fromHour={hourOf(clock.at)} hours={hours} />}
    </li>
  );
}

const HOURS = [0, 6, 12, 18, 24];

/** Their day, with now and the stretch in which nobody is called. Past midnight it goes on from the left. */
function DayBar({ fromHour, hours }: { fromHour: number; hours: number | undefined }) {
  const end = fromHour + Math.min(hours ?? 24, 24);
  const stretches = [
    { from: fromHour, to: Math.min(end, 24) },
    ...(end > 24 ? [{ from: 0, to: end - 24 }] : []),
  ];
  return (
    <svg class="day" viewBox="0 0 480 26" role="img" aria-label={say.dayBar(hours)}>
      <rect x="0" y="4" width="480" height="12" class="day-ground" />
      {stretches.map(({ from, to }) => (
        <rect key={from} x={from * 20} y="4" width={(to - from) * 20} height="12" class="day-held" />
      ))}
      {HOURS.map((hour) => (
        <text key={hour} x={Math.min(Math.max(hour * 20, 8), 472)} y="25" text-anchor="middle">
          {count(hour)}
        </text>
      ))}
      <line x1={fromHour * 20} x2={fromHour * 20} y1="0" y2="20" class="day-now" />
    </svg>
  );
}
