import { useState } from "preact/hooks";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { brandsOf, useMay, useSession } from "../../api/session.ts";
import { count, term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Pager, usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof, When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import { PersonLink } from "../../parts/person-link.tsx";

const say = words.suppressions;
const AGES = { fresh: "good", old: "warn", stale: "bad" } as const;

/** Who must not be called, who says so, and on which days nobody is. */
export function SuppressionsPage() {
  const pages = usePages();
  const entries = useRead("listSuppressions", { query: { limit: 50, after: pages.after } });
  const sources = useRead("listSources", {});
  return (
    <Page title={words.pages.suppressions} actions={<Add />}>
      <Section title={say.sources}>
        <Load of={sources} empty={{ when: ({ items }) => items.length === 0, say: say.sourcesNone }}>
          {({ items }) => (
            <Table
              caption={say.sources}
              hideCaption
              rows={items}
              keyOf={({ name }) => name}
              columns={[
                { name: say.source, heads: true, cell: ({ name }) => name },
                { name: say.kind, cell: ({ type }) => term(type) },
                { name: say.age, cell: ({ age }) => <Pill state={age} tone={AGES[age]} /> },
                { name: say.renewed, cell: ({ renewed_at: at }) => <When at={at} /> },
                { name: say.stale, cell: ({ stale_at: at }) => <When at={at} /> },
                { name: say.numbers, end: true, cell: ({ numbers }) => count(numbers) },
              ]}
            />
          )}
        </Load>
      </Section>
      <Section title={say.all}>
        <Load of={entries} empty={{ when: ({ items }) => items.length === 0, say: say.none }}>
          {({ items, next_after: next, total }) => (
            <>
              <p class="quiet">{say.total(total)}</p>
              <Table
                caption={say.all}
                hideCaption
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: words.campaign.phone,
                    heads: true,
                    cell: ({ phone }) => <PersonLink phone={phone} />,
                  },
                  { name: words.overview.brand, cell: ({ brand }) => words.person.forBrand(brand) },
                  {
                    name: words.campaign.reason,
                    cell: ({ reason, source }) => words.person.suppressedBy(source, reason),
                  },
                  { name: say.since, cell: ({ created_at: at }) => <Proof at={at} /> },
                ]}
              />
              <Pager pages={pages} next={next} />
            </>
          )}
        </Load>
      </Section>
      <DaysOff />
    </Page>
  );
}

function Add() {
  const may = useMay("operator");
  const session = useSession();
  const [numbers, setNumbers] = useState("");
  const phones = numbers.split(/[\n,;]+/).flatMap((line) => line.trim() || []);
  const add = useAct((client, reason: string | undefined) =>
    client.addSuppressions({
      body: {
        entries: brandsOf(session).flatMap((brand) =>
          phones.map((phone) => ({ phone, brand, reason: reason ?? "" })),
        ),
      },
    }),
  );
  if (!may) return null;
  return (
    <Ask
      label={say.add}
      title={say.addTitle}
      does={say.add}
      danger
      reason="needed"
      blocked={phones.length === 0}
      act={(reason) => add.mutateAsync(reason)}
    >
      <p>{words.person.suppressMeans(session.brands)}</p>
      <label>
        {words.campaign.withdrawNumbers}
        <textarea value={numbers} onInput={({ currentTarget }) => setNumbers(currentTarget.value)} />
      </label>
    </Ask>
  );
}

function DaysOff() {
  const may = useMay("operator");
  const session = useSession();
  const days = useRead("listBlackouts", {});
  const [name, setName] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const add = useAct(async (client) => {
    for (const brand of brandsOf(session))
      await client.addBlackout({ body: { name, from, brand, ...(to !== "" && { to }) } });
  });
  return (
    <Section
      title={say.daysOff}
      aside={
        may && (
          <Ask
            label={say.dayOff}
            title={say.dayOffTitle}
            does={say.dayOff}
            blocked={name.trim() === "" || from === ""}
            act={() => add.mutateAsync(undefined)}
          >
            <p>{say.dayOffMeans}</p>
            <label>
              {say.dayName}
              <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
            </label>
            <label>
              {words.schedules.from}
              <input type="date" value={from} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />
            </label>
            <label>
              {say.dayTo}
              <input type="date" value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
            </label>
          </Ask>
        )
      }
    >
      <Load of={days} empty={{ when: ({ items }) => items.length === 0, say: say.daysOffNone }}>
        {({ items }) => (
          <ul>
            {items.map((day: components.Blackout) => (
              <li key={day.id}>
                {day.name}: {day.from} – {day.to}{" "}
                <span class="quiet">{words.person.forBrand(day.brand)}</span>
              </li>
            ))}
          </ul>
        )}
      </Load>
    </Section>
  );
}
