import { useMutation } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import type { components } from "outdial/api";
import { parse } from "yaml";

import { useClient } from "../../../api/client.ts";
import { moment, OWN_ZONE, term } from "../../../format.ts";
import { Section } from "../../../parts/page.tsx";
import { Failure } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { words } from "../../../words.ts";
import { editing } from "../../../words/editing.ts";
import { fieldsOf, textOf } from "./draft.ts";
import { Labelled } from "./inputs.tsx";
import { stepsOnWay, wholeWays, type WholeWay } from "./rehearsed-ways.ts";

const say = editing.rehearse;

interface Person {
  phone: string;
  zone: string;
  state: string;
  variables: string;
  from: string;
}

const NOBODY: Person = { phone: "", zone: "", state: "", variables: "", from: "" };

interface RehearsalProps {
  /** Undefined: it can't be read as it stands. */
  definition: components.SequenceDefinition | undefined;
  /** The steps of the way that is looked at. */
  draw: (way: readonly string[]) => void;
}

/** Somebody, walked through the document as it stands. */
export function Rehearsal({ definition, draw }: RehearsalProps) {
  const client = useClient();
  const [person, setPerson] = useState(NOBODY);
  const rehearsal = useMutation({
    mutationFn: async (of: components.SequenceDefinition) => {
      const found = await client.rehearseSequence({
        body: {
          definition: of,
          brand: of.brand,
          person: personOf(person),
          ...(person.from !== "" && { from: new Date(person.from).toISOString() }),
        },
      });
      return { found, of };
    },
    onSuccess: () => draw([]),
  });
  const set = (part: Partial<Person>) => setPerson((before) => ({ ...before, ...part }));
  const mayAsk = definition !== undefined && person.phone.trim() !== "" && !rehearsal.isPending;
  // What was walked is not what stands there now.
  const isOld = rehearsal.data !== undefined && rehearsal.data.of !== definition;
  return (
    <Section title={say.title}>
      <p class="quiet">{say.means}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayAsk) rehearsal.mutate(definition);
        }}
      >
        <PersonFields person={person} set={set} />
        <p>
          <button type="submit" aria-disabled={!mayAsk}>
            {rehearsal.isPending ? words.dialog.busy : say.does}
          </button>
        </p>
      </form>
      {rehearsal.error && <Failure error={rehearsal.error} />}
      {rehearsal.data && !isOld && <Ways found={rehearsal.data.found} draw={draw} />}
    </Section>
  );
}

function PersonFields({ person, set }: { person: Person; set: (part: Partial<Person>) => void }) {
  return (
    <div class="fields">
      <Labelled label={say.phone}>
        <input
          inputMode="tel"
          required
          value={person.phone}
          onInput={({ currentTarget }) => set({ phone: currentTarget.value })}
        />
      </Labelled>
      <Labelled label={say.zone} hint={say.zoneHint}>
        <input value={person.zone} onInput={({ currentTarget }) => set({ zone: currentTarget.value })} />
      </Labelled>
      <Labelled label={say.state} hint={say.stateHint}>
        <input value={person.state} onInput={({ currentTarget }) => set({ state: currentTarget.value })} />
      </Labelled>
      <Labelled label={say.from} hint={say.fromHint(OWN_ZONE)}>
        <input
          type="datetime-local"
          value={person.from}
          onInput={({ currentTarget }) => set({ from: currentTarget.value })}
        />
      </Labelled>
      <Labelled label={say.variables} hint={say.variablesHint}>
        <textarea
          rows={2}
          value={person.variables}
          onInput={({ currentTarget }) => set({ variables: currentTarget.value })}
        />
      </Labelled>
    </div>
  );
}

function personOf({ phone, zone, state, variables }: Person): Record<string, unknown> {
  const known = Object.entries(fieldsOf(parse(variables))).map(([name, value]) => [name, textOf(value)]);
  return {
    phone: phone.trim(),
    ...(zone.trim() !== "" && { time_zone: zone.trim() }),
    ...(state.trim() !== "" && { state: state.trim() }),
    ...(known.length > 0 && { variables: Object.fromEntries(known) }),
  };
}

function Ways({ found, draw }: { found: components.SequenceRehearsal; draw: RehearsalProps["draw"] }) {
  const [chosen, setChosen] = useState<number>();
  const ways = wholeWays(found.way);
  const way = chosen === undefined ? undefined : ways[chosen];
  const choose = (index: number | undefined) => {
    setChosen(index);
    draw(index === undefined ? [] : stepsOnWay(ways[index] ?? { points: [], end: undefined }));
  };
  const zone = found.zones[0];
  return (
    <div class="stack" role="status">
      <p class="quiet">{say.of(found.phone, found.zones)}</p>
      <Labelled label={say.way}>
        <select
          value={chosen ?? ""}
          onChange={({ currentTarget: { value } }) => choose(value === "" ? undefined : Number(value))}
        >
          <option value="">{say.forget}</option>
          {ways.map((one, index) => (
            <option key={index} value={index}>
              {wayName(one, index)}
            </option>
          ))}
        </select>
      </Labelled>
      {way && <Walk way={way} zone={zone} />}
      <Table
        caption={say.ends}
        rows={ways.map((one, index) => ({ one, index }))}
        keyOf={({ index }) => index}
        columns={[
          {
            name: words.campaign.outcome,
            heads: true,
            cell: ({ one, index }) => say.end(index + 1, one.end?.outcome ?? say.goesOn),
          },
          { name: words.campaign.at, cell: ({ one }) => when(one.end?.at ?? one.points.at(-1)?.at, zone) },
          { name: words.campaign.reason, cell: ({ one }) => forksOf(one) || say.whole },
          {
            name: words.campaign.state,
            cell: ({ one }) => (one.cut === undefined ? (one.end?.reason ?? "") : say.cut(one.cut)),
          },
        ]}
      />
      {Object.entries(found.not_walked).map(([step, dispositions]) => (
        <p class="small quiet" key={step}>
          {say.notWalked(step, dispositions)}
        </p>
      ))}
      {found.ends >= MOST_ENDS && <p class="note">{say.most}</p>}
    </div>
  );
}

/** That the API shows at most. */
const MOST_ENDS = 64;

function wayName(way: WholeWay, index: number): string {
  return `${say.end(index + 1, way.end?.outcome ?? way.cut ?? say.goesOn)} (${forksOf(way) || say.whole})`;
}

function forksOf({ forks }: WholeWay): string {
  return forks.map(({ step, when: what }) => say.assumed(step, what)).join(" · ");
}

/** Local times of somebody rehearsed are for planning: they are the browser's. */
function when(at: string | undefined, zone: string | undefined): string {
  return at === undefined ? words.none : moment(at, zone ?? OWN_ZONE);
}

function Walk({ way, zone }: { way: WholeWay; zone: string | undefined }) {
  const tries = new Map(way.forks.map((fork) => [fork.step, fork]));
  return (
    <ol class="walk">
      {way.points.map(({ at, step, what }, index) => {
        const fork = step === null ? undefined : tries.get(step);
        return (
          <li key={index}>
            <span class="quiet">{when(at, zone)}</span> <strong>{step}</strong> {term(what)}
            {what === "call" && fork !== undefined && fork.tries.length > 0 && (
              <span class="quiet"> {say.tries(fork.tries.map((one) => when(one, zone)))}</span>
            )}
          </li>
        );
      })}
      {way.end && (
        <li>
          <span class="quiet">{when(way.end.at, zone)}</span> <strong>{term(way.end.outcome)}</strong>{" "}
          {way.end.reason}
        </li>
      )}
    </ol>
  );
}
