import { useMutation } from "@tanstack/preact-query";
import { Link } from "wouter-preact";

import { useClient, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, term } from "../../format.ts";
import { Figures } from "../../parts/figures.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Failure, Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { words } from "../../words.ts";

const say = words.system;

/** The installation itself. */
export function SystemPage() {
  const mayExamine = useMay("examine");
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
            <Waits of={found.attention} />
            {mayExamine && <Examination />}
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

/** How much of each kind waits for a person. */
function Waits({ of }: { of: Readonly<Record<string, number>> }) {
  const kinds = Object.entries(of).filter(([, waiting]) => waiting > 0);
  return (
    <Section title={say.waits} aside={<Link href="/attention">{words.overview.allNeeds}</Link>}>
      {kinds.length === 0 ? (
        <p class="quiet">{say.waitsNone}</p>
      ) : (
        <ul>
          {kinds.map(([kind, waiting]) => (
            <li key={kind}>{say.waitsOf(kind, waiting)}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const TONES = { ok: "good", warn: "warn", fail: "bad" } as const;

/** It asks the platform, databases and Temporal: only when somebody wants to know. */
function Examination() {
  const client = useClient();
  const examine = useMutation({ mutationFn: async () => client.examine() });
  return (
    <Section title={say.examined}>
      <p class="quiet">{say.examineMeans}</p>
      <p>
        <button type="button" aria-disabled={examine.isPending} onClick={() => examine.mutate()}>
          {examine.isPending ? say.examining : say.examine}
        </button>
      </p>
      {examine.error && <Failure error={examine.error} />}
      {examine.data && (
        <Table
          caption={say.examined}
          hideCaption
          rows={examine.data.checks}
          keyOf={({ name }) => name}
          columns={[
            { name: say.check, heads: true, cell: ({ name }) => name },
            {
              name: words.campaign.state,
              cell: ({ status }) => <Pill state={status} tone={TONES[status]} />,
            },
            { name: say.found, cell: ({ detail }) => detail },
            { name: say.remedy, cell: ({ remedy }) => remedy ?? words.none },
          ]}
        />
      )}
    </Section>
  );
}
