import { Link } from "wouter-preact";

import { useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count } from "../../format.ts";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { words } from "../../words.ts";

const say = words.sequence;

export function SequencesPage() {
  const may = useMay("putSequence");
  const pages = usePages();
  const sequences = useRead("listSequences", { query: { limit: 50, after: pages.after } });
  return (
    <Page
      title={words.pages.sequences}
      actions={
        may && (
          <Link class="button main-action" href="/sequences/new">
            {say.fresh}
          </Link>
        )
      }
    >
      <Section title={say.all}>
        <Load of={sequences}>
          {({ items, next_after: next }) => (
            <Listed pages={pages} items={items} next={next} none={say.none}>
              <Table
                caption={say.all}
                hideCaption
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: say.name,
                    heads: true,
                    cell: ({ id, name, brand }) => (
                      <>
                        <Link href={`/sequences/${id}`}>{name}</Link>{" "}
                        <span class="small quiet">{brand === "default" ? "" : brand}</span>
                      </>
                    ),
                  },
                  { name: say.state, cell: ({ state }) => <Pill state={state} /> },
                  { name: say.version, end: true, cell: ({ version }) => count(version) },
                  { name: say.active, end: true, cell: ({ enrolments }) => count(enrolments?.active ?? 0) },
                  { name: say.through, end: true, cell: ({ enrolments }) => count(enrolments?.done ?? 0) },
                  { name: say.inAll, end: true, cell: ({ enrolments }) => count(enrolments?.total ?? 0) },
                ]}
              />
            </Listed>
          )}
        </Load>
      </Section>
    </Page>
  );
}
