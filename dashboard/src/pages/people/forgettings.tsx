import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useRead } from "../../api/client.ts";
import { count, term } from "../../format.ts";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import type { Params } from "../../parts/params.ts";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof, When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import { Elsewhere } from "./forget.tsx";

const say = words.forgetting;

/** Who asked to be forgotten, without who they were. */
export function ForgettingsPage() {
  const pages = usePages();
  const forgettings = useRead("listForgettings", { query: { limit: 50, after: pages.after } });
  return (
    <Page title={words.pages.forgettings}>
      <Section title={say.all}>
        <Load of={forgettings}>
          {({ items, next_after: next }) => (
            <Listed pages={pages} items={items} next={next} none={say.none}>
              <Table
                caption={say.all}
                hideCaption
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: say.person,
                    heads: true,
                    cell: ({ id, last_digits: digits }) => (
                      <Link href={`/forgettings/${id}`}>{say.digits(digits)}</Link>
                    ),
                  },
                  { name: words.campaign.state, cell: ({ state }) => <Pill state={state} /> },
                  { name: words.campaign.at, cell: ({ asked_at: at }) => <When at={at} /> },
                  { name: words.sequence.by, cell: ({ asked_by: by }) => by },
                  { name: words.campaign.reason, cell: ({ reason }) => reason },
                ]}
              />
            </Listed>
          )}
        </Load>
      </Section>
    </Page>
  );
}

/** No event tells how far it is. */
const LOOK_MS = 5_000;

/** How far a forgetting is, and its certificate. */
export function ForgettingPage({ params }: { params: Params }) {
  const id = params["id"] ?? "";
  const forgetting = useRead("readForgetting", { path: { id } }, { everyMs: LOOK_MS });
  return (
    <Page title={say.one}>
      <Load of={forgetting}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.state} />
              <span>{say.digits(found.last_digits)}</span>
              <span class="quiet">{found.reason}</span>
            </p>
            {found.waits_for !== null && <p class="note">{say.waitsFor(found.waits_for)}</p>}
            {found.certificate ? (
              <CertificateOf of={found.certificate} />
            ) : (
              <p class="quiet">{say.underWay}</p>
            )}
          </>
        )}
      </Load>
    </Page>
  );
}

function CertificateOf({ of }: { of: components.Certificate }) {
  const removed = Object.entries(of.removed).map(([what, n]) => ({ what, n }));
  return (
    <Section title={say.certificate}>
      <dl class="facts">
        <dt>{say.asked}</dt>
        <dd>
          <Proof at={of.asked_at} /> {of.asked_by}
        </dd>
        <dt>{say.done}</dt>
        <dd>
          <Proof at={of.done_at} />
        </dd>
        <dt>{say.person}</dt>
        <dd>
          <code>{of.person}</code>
        </dd>
        <dt>{words.system.installation}</dt>
        <dd>
          <code>{of.installation_id}</code>
        </dd>
      </dl>
      <Table
        caption={say.removed}
        rows={removed}
        keyOf={({ what }) => what}
        columns={[
          { name: words.campaign.what, heads: true, cell: ({ what }) => term(what) },
          { name: say.number, end: true, cell: ({ n }) => count(n) },
        ]}
      />
      {of.waiting.length > 0 && (
        <Table
          caption={say.waiting}
          rows={of.waiting}
          keyOf={({ where, name }) => `${where} ${name}`}
          columns={[
            { name: words.campaign.what, heads: true, cell: ({ what, name }) => `${what} ${name}` },
            { name: say.where, cell: ({ where }) => where },
            { name: say.since, cell: ({ since }) => <When at={since} /> },
            { name: words.campaign.reason, cell: ({ why }) => why },
          ]}
        />
      )}
      <Table
        caption={say.kept}
        rows={of.kept}
        keyOf={({ what }) => what}
        columns={[
          { name: words.campaign.what, heads: true, cell: ({ what }) => term(what) },
          { name: say.number, end: true, cell: ({ rows }) => count(rows) },
          { name: say.as, cell: ({ as }) => as },
          { name: words.campaign.reason, cell: ({ why }) => why },
        ]}
      />
      <Elsewhere of={of.elsewhere} />
    </Section>
  );
}
