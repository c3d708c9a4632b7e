import { useState } from "preact/hooks";
import type { Client, components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { brandsOf, useMay, useSession, type Session } from "../../api/session.ts";
import { date } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { Load } from "../../parts/state.tsx";
import { words } from "../../words.ts";
import { standingOf } from "./kept-days.ts";

const say = words.suppressions;

/** Days on which nobody is called. */
export function DaysOff() {
  const session = useSession();
  const may = useMay("addBlackout");
  const days = useRead("listBlackouts", {});
  return (
    <Section title={say.daysOff} aside={may && <AddDays />}>
      <Load of={days} empty={{ when: ({ items }) => items.length === 0, say: say.daysOffNone }}>
        {({ items }) => (
          <ul>
            {items.map((day: components.Blackout) => (
              <li key={day.id}>
                {day.name}: {date(day.from)} – {date(day.to)}{" "}
                <span class="quiet">{words.person.forBrand(day.brand)}</span>{" "}
                {may && mayChange(session, day.brand) && <TakeBack day={day} />}
              </li>
            ))}
          </ul>
        )}
      </Load>
    </Section>
  );
}

/** What holds for every brand is shown to whoever is for some, and is not theirs to change. */
function mayChange({ brands }: Session, brand: string | null): boolean {
  return brands === null || (brand !== null && brands.includes(brand));
}

function TakeBack({ day: { id, name } }: { day: components.Blackout }) {
  const remove = useAct((client, reason: string | undefined) =>
    client.removeBlackout({ path: { id }, body: { reason: reason ?? "" } }),
  );
  return (
    <Ask
      label={say.dayBack}
      title={say.dayBackTitle(name)}
      does={say.dayBack}
      danger
      reason="needed"
      act={(reason) => remove.mutateAsync(reason)}
    >
      <p>{say.dayBackMeans}</p>
    </Ask>
  );
}

interface Days {
  name: string;
  from: string;
  /** Empty: it is one day. */
  to: string;
}

/** Of every campaign; or of some, such as those that call one state, as an exception of theirs. */
function AddDays() {
  const session = useSession();
  const [days, setDays] = useState<Days>({ name: "", from: "", to: "" });
  const [isForAll, setForAll] = useState(true);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [said, setSaid] = useState<string>();
  const campaigns = useRead("listCampaigns", { query: { open: true, limit: 200 } }, { enabled: !isForAll });
  const add = useAct(async (client) => {
    if (!isForAll) {
      const others: string[] = [];
      for (const ref of chosen) {
        const { name, keeps } = await except(client, ref, days);
        if (!keeps) others.push(name);
      }
      return setSaid(say.daysOffIn(chosen.length - others.length, others));
    }
    const { name, from, to } = days;
    for (const brand of brandsOf(session))
      await client.addBlackout({ body: { name, from, brand, ...(to !== "" && { to }) } });
    return setSaid(undefined);
  });
  const change = (part: Partial<Days>) => setDays((before) => ({ ...before, ...part }));
  return (
    <div class="row">
      {said !== undefined && <span role="status">{said}</span>}
      <Ask
        label={say.dayOff}
        title={say.dayOffTitle}
        does={say.dayOff}
        blocked={days.name.trim() === "" || days.from === "" || (!isForAll && chosen.length === 0)}
        act={() => add.mutateAsync(undefined)}
      >
        <label>
          {say.dayName}
          <input value={days.name} onInput={({ currentTarget }) => change({ name: currentTarget.value })} />
        </label>
        <label>
          {words.schedules.from}
          <input
            type="date"
            value={days.from}
            onInput={({ currentTarget }) => change({ from: currentTarget.value })}
          />
        </label>
        <label>
          {say.dayTo}
          <input
            type="date"
            value={days.to}
            onInput={({ currentTarget }) => change({ to: currentTarget.value })}
          />
        </label>
        <fieldset>
          <legend>{say.dayWhom}</legend>
          <label class="inline">
            <input type="radio" name="whom" checked={isForAll} onChange={() => setForAll(true)} />
            {say.dayForAll}
          </label>
          <label class="inline">
            <input type="radio" name="whom" checked={!isForAll} onChange={() => setForAll(false)} />
            {say.dayForSome}
          </label>
          <p class="small quiet">{isForAll ? say.dayOffMeans : say.dayForSomeMeans}</p>
          {!isForAll && (
            <Load
              of={campaigns}
              empty={{ when: ({ items }) => items.length === 0, say: words.overview.none }}
            >
              {({ items }) => (
                <div class="stack choices">
                  {items.map(({ id, name }) => (
                    <label class="inline" key={id}>
                      <input
                        type="checkbox"
                        checked={chosen.includes(id)}
                        onChange={({ currentTarget: { checked } }) =>
                          setChosen((before) =>
                            checked ? [...before, id] : before.filter((one) => one !== id),
                          )
                        }
                      />
                      {name}
                    </label>
                  ))}
                </div>
              )}
            </Load>
          )}
        </fieldset>
      </Ask>
    </div>
  );
}

/**
 * Under the version that was read: whoever changed it meanwhile is not written over. Nor is another exception of these
 * days, which may have hours.
 */
async function except(
  client: Client,
  ref: string,
  { name, from, to }: Days,
): Promise<{ name: string; keeps: boolean }> {
  const path = { ref };
  const { name: called, spec, policy_version: version } = await client.readCampaign({ path });
  const exception = { date: from, name: name.trim(), ...(to !== "" && { to }) };
  const before = Array.isArray(spec["exceptions"]) ? (spec["exceptions"] as unknown[]) : [];
  const standing = standingOf(before, { from, to });
  // Once more after a failure: those that have it already are left as they are.
  if (standing !== "free") return { name: called, keeps: standing === "kept" };
  const changed = { ...spec, exceptions: [...before, exception] } as components.CampaignSpec;
  await client.amendCampaign({ path, body: { spec: changed, if_version: version, reason: exception.name } });
  return { name: called, keeps: true };
}
