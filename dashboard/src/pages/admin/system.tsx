import { useRead } from "../../api/client.ts";
import { count, term } from "../../format.ts";
import { Figures } from "../../parts/figures.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { words } from "../../words.ts";

const say = words.system;

/** The installation itself. */
export function SystemPage() {
  const system = useRead("readSystem", {}, { everyMs: 15_000 });
  return (
    <Page title={words.pages.system}>
      <Load of={system}>
        {(found) => (
          <>
            <Figures
              of={[
                { name: say.version, value: found.version },
                { name: say.ledger, value: term(found.ledger.kind) },
                {
                  name: say.migrations,
                  value: count(found.ledger.migrations.applied),
                  under: say.ofKnown(found.ledger.migrations.known),
                },
                {
                  name: say.zoneData,
                  value: found.zone_data.version,
                  under: found.zone_data.old ? say.zoneDataOld : undefined,
                },
              ]}
            />
            <Section title={say.outbox}>
              {found.outbox.length === 0 ? (
                <p class="quiet">{say.outboxNone}</p>
              ) : (
                <Table
                  caption={say.outbox}
                  hideCaption
                  rows={found.outbox}
                  keyOf={({ kind }) => kind}
                  columns={[
                    { name: say.kind, heads: true, cell: ({ kind }) => term(kind) },
                    { name: say.waiting, end: true, cell: ({ waiting }) => count(waiting) },
                    { name: say.failing, end: true, cell: ({ failing }) => count(failing) },
                    { name: say.oldest, cell: ({ oldest }) => <When at={oldest} /> },
                  ]}
                />
              )}
            </Section>
            <section class="section" aria-label={say.installation}>
              <dl class="facts">
                <dt>{say.installation}</dt>
                <dd>
                  <code>{found.installation_id}</code>
                </dd>
                <dt>{say.platform}</dt>
                <dd>{found.platform_url}</dd>
                <dt>{say.sweep}</dt>
                <dd>
                  <When at={found.last_sweep?.at} />
                </dd>
              </dl>
            </section>
          </>
        )}
      </Load>
    </Page>
  );
}
