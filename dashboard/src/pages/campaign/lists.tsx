import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useClient, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, duration, money, term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof, When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import type { PartProps } from "./part.ts";
import { Choice } from "../../parts/choice.tsx";
import { PersonLink } from "../../parts/person-link.tsx";

const say = words.campaign;
const LIMIT = 50;

/** In front of the states that a list can be held to: all of them. */
function orEvery<State extends string>(states: readonly State[]) {
  return [["", say.every] as const, ...states.map((state) => [state, term(state)] as const)];
}

const CONTACT_STATES = ["open", "leased", "done", "excluded"] as const;

/** Who is on its list, and where each stands. */
export function PeoplePart({ campaign: { id } }: PartProps) {
  const [state, setState] = useState<components.Contact["state"]>();
  const pages = usePages();
  const people = useRead("listContacts", {
    path: { ref: id },
    query: { state, limit: LIMIT, after: pages.after },
  });
  const choose = (chosen: components.Contact["state"] | "") => {
    setState(chosen === "" ? undefined : chosen);
    pages.restart();
  };
  return (
    <Section
      title={say.parts.people}
      aside={
        <div class="row">
          <Choice label={say.filter} options={orEvery(CONTACT_STATES)} value={state ?? ""} choose={choose} />
          <Withdraw id={id} />
        </div>
      }
    >
      <Load of={people}>
        {({ items, next_after: next }) => (
          <Listed pages={pages} items={items} next={next} none={say.noneSuch}>
            <Table
              caption={say.parts.people}
              hideCaption
              rows={items}
              keyOf={({ contact_id: key }) => key}
              columns={[
                { name: say.phone, heads: true, cell: ({ phone }) => <PersonLink phone={phone} /> },
                { name: say.state, cell: ({ state: at }) => <Pill state={at} /> },
                { name: say.attempts, end: true, cell: ({ attempts }) => count(attempts) },
                {
                  name: say.outcome,
                  cell: ({ outcome, last_disposition: last }) => term(outcome ?? last ?? words.none),
                },
                { name: say.reason, cell: ({ reason }) => term(reason ?? words.none) },
                {
                  name: say.due,
                  cell: ({ due_at: at, state: now, zones }) =>
                    now === "open" ? <Proof at={at} zone={zones[0]} /> : words.none,
                },
              ]}
            />
          </Listed>
        )}
      </Load>
    </Section>
  );
}

function Withdraw({ id }: { id: string }) {
  const may = useMay("withdrawContacts");
  const [numbers, setNumbers] = useState("");
  const phones = numbers.split(/[\n,;]+/).flatMap((line) => line.trim() || []);
  const withdraw = useAct((client, reason: string | undefined) =>
    client.withdrawContacts({ path: { ref: id }, body: { phones, reason: reason ?? "" } }),
  );
  if (!may) return null;
  return (
    <Ask
      label={say.withdraw}
      title={say.withdrawTitle}
      does={say.withdraw}
      danger
      reason="needed"
      blocked={phones.length === 0}
      act={(reason) => withdraw.mutateAsync(reason)}
    >
      <p>{say.withdrawMeans}</p>
      <label>
        {say.withdrawNumbers}
        <textarea value={numbers} onInput={({ currentTarget }) => setNumbers(currentTarget.value)} />
      </label>
    </Ask>
  );
}

const ATTEMPT_STATES = ["planned", "live", "ended", "not_dialed"] as const;

/** Every call, and what it came to. */
export function CallsPart({ campaign: { id } }: PartProps) {
  const [state, setState] = useState<components.Attempt["state"]>();
  const pages = usePages();
  const calls = useRead("listAttempts", {
    path: { ref: id },
    query: { state, limit: LIMIT, after: pages.after },
  });
  const choose = (chosen: components.Attempt["state"] | "") => {
    setState(chosen === "" ? undefined : chosen);
    pages.restart();
  };
  return (
    <Section
      title={say.parts.calls}
      aside={
        <Choice label={say.filter} options={orEvery(ATTEMPT_STATES)} value={state ?? ""} choose={choose} />
      }
    >
      <Load of={calls}>
        {({ items, next_after: next }) => (
          <Listed pages={pages} items={items} next={next} none={say.noneSuch}>
            <Table
              caption={say.parts.calls}
              hideCaption
              rows={items}
              keyOf={({ attempt_id: key }) => key}
              columns={[
                { name: say.phone, heads: true, cell: ({ phone }) => <PersonLink phone={phone} /> },
                { name: say.state, cell: ({ state: at }) => <Pill state={at} /> },
                {
                  name: say.outcome,
                  cell: ({ disposition }) =>
                    disposition === null ? words.none : <Pill state={disposition} />,
                },
                {
                  name: say.startedAt,
                  cell: ({ started_at: at, zones, call_id: call }) => (
                    <CallLink call={call} at={at} zone={zones[0]} />
                  ),
                },
                {
                  name: say.length,
                  end: true,
                  cell: ({ duration_seconds: seconds }) =>
                    seconds === null ? words.none : duration(seconds),
                },
                { name: say.cost, end: true, cell: ({ cost }) => (cost === null ? words.none : money(cost)) },
                { name: say.variant, cell: ({ variant }) => variant ?? words.none },
                { name: say.from, cell: ({ from_number: from }) => <span class="number">{from}</span> },
              ]}
            />
          </Listed>
        )}
      </Load>
    </Section>
  );
}

function CallLink({ call, at, zone }: { call: string | null; at: string | null; zone: string | undefined }) {
  if (call === null) return <Proof at={at} zone={zone} />;
  return (
    <Link href={`/calls/${call}`}>
      <Proof at={at} zone={zone} />
    </Link>
  );
}

/** What went to the platform together. */
export function BatchesPart({ campaign: { id } }: PartProps) {
  const pages = usePages();
  const batches = useRead("listBatches", { path: { ref: id }, query: { limit: LIMIT, after: pages.after } });
  return (
    <Section title={say.parts.batches}>
      <Load of={batches}>
        {({ items, next_after: next }) => (
          <Listed pages={pages} items={items} next={next} none={say.noneSuch}>
            <Table
              caption={say.parts.batches}
              hideCaption
              rows={items}
              keyOf={({ batch_id: key }) => key}
              columns={[
                { name: say.planned, heads: true, cell: ({ planned_at: at }) => <When at={at} /> },
                { name: say.state, cell: ({ state }) => <Pill state={state} /> },
                { name: say.size, end: true, cell: ({ size }) => count(size) },
                { name: say.slots, end: true, cell: ({ held_slots: slots }) => count(slots) },
                { name: say.from, cell: ({ from_number: from }) => <span class="number">{from}</span> },
                { name: say.trouble, cell: ({ trouble }) => trouble ?? words.none },
              ]}
            />
          </Listed>
        )}
      </Load>
    </Section>
  );
}

/** What was done to it, by whom, from the feed of events: the newest first. */
export function HistoryPart({ campaign: { id, created_at: since } }: PartProps) {
  const client = useClient();
  const events = useQuery({
    queryKey: ["listEvents", { ref: id }, {}],
    queryFn: async ({ signal }) => {
      const found: components.Event[] = [];
      let after: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = {
          campaign: id,
          types: TOLD,
          limit: 200,
          ...(after === undefined ? { since } : { after }),
        };
        const { items, next_after: next, more } = await client.listEvents({ query, signal });
        found.push(...items);
        if (!more) return { items: found.toReversed(), isWhole: true };
        after = next;
      }
      return { items: found.toReversed(), isWhole: false };
    },
  });
  return (
    <Section title={say.parts.events}>
      <Load
        of={events}
        empty={{ when: ({ items, isWhole }) => items.length === 0 && isWhole, say: say.noneSuch }}
      >
        {({ items, isWhole }) => (
          <>
            <Table
              caption={say.parts.events}
              hideCaption
              rows={items.slice(0, MOST_SHOWN)}
              keyOf={({ id: key }) => key}
              columns={[
                { name: say.at, heads: true, cell: ({ at }) => <Proof at={at} /> },
                { name: say.what, cell: ({ type }) => term(type.replace(/^campaign\./, "")) },
                { name: say.reason, cell: ({ data }) => textOf(data["reason"]) },
                { name: words.audit.actor, cell: ({ data }) => textOf(data["actor"]) },
              ]}
            />
            {(!isWhole || items.length > MOST_SHOWN) && <p class="small quiet">{say.notAll}</p>}
          </>
        )}
      </Load>
    </Section>
  );
}

/** The feed is looked through from the campaign's beginning, some thousand events a page. */
const MOST_PAGES = 30;
const MOST_SHOWN = 500;

const TOLD = "created started paused resumed ending completed cancelled amended people_withdrawn"
  .split(" ")
  .map((of) => `campaign.${of}`)
  .join(",");

function textOf(value: unknown): string {
  return typeof value === "string" ? value : words.none;
}
