import { useState } from "preact/hooks";

import { useAct, useRead } from "../../api/client.ts";
import { brandsOf, useMay, useSession } from "../../api/session.ts";
import { count, term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof, When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import { DaysOff } from "./days-off.tsx";
import { PersonLink } from "../../parts/person-link.tsx";

const say = words.suppressions;
const AGES = { fresh: "good", old: "warn", stale: "bad" } as const;

/** Who must not be called, who says so, and on which days nobody is. */
export function SuppressionsPage() {
  const pages = usePages();
  const entries = useRead(
    "listSuppressions",
    { query: { limit: 50, after: pages.after } },
    { everyMs: 60_000 },
  );
  const sources = useRead("listSources", {}, { everyMs: 60_000 });
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
        <Load of={entries}>
          {({ items, next_after: next, total }) => (
            <Listed pages={pages} items={items} next={next} none={say.none}>
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
            </Listed>
          )}
        </Load>
      </Section>
      <DaysOff />
    </Page>
  );
}

function Add() {
  const may = useMay("addSuppressions");
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
