import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, share, term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Figures } from "../../parts/figures.tsx";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import { PersonLink } from "../../parts/person-link.tsx";
import type { Params } from "../../parts/params.ts";
import { Choice } from "../../parts/choice.tsx";
import { SequenceDiagram } from "./diagram.tsx";

const say = words.sequence;

/** A sequence: who is where in it, and what came of those who went through. */
export function SequencePage({ params }: { params: Params }) {
  const ref = params["ref"] ?? "";
  const sequence = useRead("readSequence", { path: { ref } }, { everyMs: 30_000 });
  return (
    <Page
      title={sequence.data?.name ?? words.states.loading}
      actions={sequence.data && <Actions sequence={sequence.data} />}
    >
      <Load of={sequence}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.state} />
              {found.state_reason !== null && <span>{found.state_reason}</span>}
              <span class="quiet small">
                {found.brand} · {say.versionOf(found.version)}
              </span>
            </p>
            <Figures
              of={[
                {
                  name: say.active,
                  value: count(found.enrolments.active),
                  under: say.paused(found.enrolments.paused),
                },
                { name: say.through, value: count(found.enrolments.done) },
                { name: say.inAll, value: count(found.enrolments.total) },
                { name: say.notStarted, value: count(found.enrolments.not_started) },
              ]}
            />
            <Section title={say.diagram}>
              <SequenceDiagram id={found.id} version={found.version} people={found.steps} />
            </Section>
            <Conversion id={found.id} versions={found.versions} />
            <div class="columns">
              <Outcomes of={found.outcomes} />
              <Versions versions={found.versions} />
            </div>
            <People id={found.id} />
          </>
        )}
      </Load>
    </Page>
  );
}

function Actions({ sequence: { id, name, state } }: { sequence: components.Sequence }) {
  const may = useMay("pauseSequence");
  const [phone, setPhone] = useState("");
  const path = { ref: id };
  const pause = useAct((client, reason: string | undefined) =>
    client.pauseSequence({ path, body: { reason } }),
  );
  const resume = useAct((client, reason: string | undefined) =>
    client.resumeSequence({ path, body: { reason } }),
  );
  const enroll = useAct((client) => client.enroll({ path, body: { phone: phone.trim() } }));
  if (!may || state === "closed") return null;
  return (
    <>
      <Link class="button" href={`/sequences/${id}/edit`}>
        {say.edit}
      </Link>
      <Ask
        label={say.enroll}
        title={say.enrollTitle(name)}
        does={say.enroll}
        blocked={phone.trim() === ""}
        act={() => enroll.mutateAsync(undefined)}
      >
        <label>
          {words.campaign.phone}
          <input
            value={phone}
            onInput={({ currentTarget }) => setPhone(currentTarget.value)}
            inputMode="tel"
            required
          />
        </label>
      </Ask>
      {state === "active" ? (
        <Ask
          label={words.campaign.pause}
          title={words.campaign.pauseTitle(name)}
          does={words.campaign.pause}
          mainAction
          reason="may"
          act={(reason) => pause.mutateAsync(reason)}
        >
          <p>{say.pauseMeans}</p>
        </Ask>
      ) : (
        <Ask
          label={words.campaign.resume}
          title={words.campaign.resumeTitle(name)}
          does={words.campaign.resume}
          mainAction
          reason="may"
          act={(reason) => resume.mutateAsync(reason)}
        />
      )}
    </>
  );
}

function Outcomes({ of }: { of: Readonly<Record<string, number>> }) {
  const rows = Object.entries(of)
    .map(([name, people]) => ({ name, people }))
    .sort((a, b) => b.people - a.people);
  const all = rows.reduce((sum, { people }) => sum + people, 0);
  return (
    <Section title={say.outcomes}>
      {rows.length === 0 ? (
        <p class="quiet">{say.noOutcome}</p>
      ) : (
        <Table
          caption={say.outcomes}
          hideCaption
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: words.campaign.outcome, heads: true, cell: ({ name }) => term(name) },
            { name: words.campaign.size, end: true, cell: ({ people }) => count(people) },
            { name: "%", end: true, cell: ({ people }) => share(people, all) },
          ]}
        />
      )}
    </Section>
  );
}

/** Where people went from each step, of one version or of all: what is lost where, and which way of a split does better. */
function Conversion({ id, versions }: { id: string; versions: components.Sequence["versions"] }) {
  const [version, setVersion] = useState("all");
  const conversion = useRead(
    "readConversion",
    { path: { ref: id }, query: { version: version === "all" ? undefined : Number(version) } },
    // It is a count over thousands, and a step more or less is seen a minute later.
    { everyMs: 60_000 },
  );
  return (
    <Section
      title={say.conversion}
      aside={
        versions.length > 1 && (
          <Choice
            label={say.version}
            options={[
              ["all", say.everyVersion],
              ...versions.map(({ version: n }) => [String(n), count(n)] as const),
            ]}
            value={version}
            choose={setVersion}
          />
        )
      }
    >
      <Load of={conversion}>
        {({ steps, people, is_sample: isSample }) =>
          steps.length === 0 ? (
            <p class="quiet">{say.nobodyBegan}</p>
          ) : (
            <>
              {isSample && <p class="quiet small">{say.newest(people)}</p>}
              <Table
                caption={say.conversion}
                hideCaption
                rows={steps}
                keyOf={({ step }) => step}
                columns={[
                  { name: say.step, heads: true, cell: ({ step }) => step },
                  { name: say.came, end: true, cell: ({ came }) => count(came) },
                  { name: say.ofAll, end: true, cell: ({ came }) => share(came, people) },
                  { name: say.wentOn, cell: ({ went_on: ways, came }) => <WaysOn ways={ways} of={came} /> },
                  { name: say.endedThere, end: true, cell: ({ ended }) => count(ended) },
                  { name: say.areThere, end: true, cell: ({ there }) => count(there) },
                ]}
              />
            </>
          )
        }
      </Load>
    </Section>
  );
}

function WaysOn({ ways, of }: { ways: Readonly<Record<string, number>>; of: number }) {
  const sorted = Object.entries(ways).sort(([, a], [, b]) => b - a);
  if (sorted.length === 0) return <>{words.none}</>;
  return (
    <>
      {sorted.map(([to, people]) => (
        <div key={to}>
          {to} <span class="quiet">{say.some(people, share(people, of))}</span>
        </div>
      ))}
    </>
  );
}

function Versions({ versions }: { versions: components.Sequence["versions"] }) {
  return (
    <Section title={say.versions}>
      <Table
        caption={say.versions}
        hideCaption
        rows={versions}
        keyOf={({ version }) => version}
        columns={[
          { name: say.version, heads: true, cell: ({ version }) => count(version) },
          { name: say.by, cell: ({ actor }) => actor },
          { name: words.campaign.at, cell: ({ created_at: at }) => <Proof at={at} /> },
        ]}
      />
    </Section>
  );
}

function People({ id }: { id: string }) {
  const pages = usePages();
  const [state, setState] = useState<"active" | "done">("active");
  const people = useRead(
    "listEnrolments",
    { path: { ref: id }, query: { state, limit: 50, after: pages.after } },
    // That somebody goes on to another step is told by no event.
    { everyMs: 30_000 },
  );
  return (
    <Section
      title={say.people}
      aside={
        <Choice
          label={words.campaign.filter}
          options={[
            ["active", say.active],
            ["done", say.through],
          ]}
          value={state}
          choose={(chosen) => {
            setState(chosen);
            pages.restart();
          }}
        />
      }
    >
      <Load of={people}>
        {({ items, next_after: next }) => (
          <Listed pages={pages} items={items} next={next} none={words.campaign.noneSuch}>
            <Table
              caption={say.people}
              hideCaption
              rows={items}
              keyOf={({ id: key }) => key}
              columns={[
                {
                  name: words.campaign.phone,
                  heads: true,
                  cell: ({ phone }) => <PersonLink phone={phone} />,
                },
                {
                  name: say.step,
                  cell: ({ id: key, step }) => (
                    <Link href={`/enrolments/${key}`}>{step ?? say.theirWay}</Link>
                  ),
                },
                { name: say.version, end: true, cell: ({ version }) => count(version) },
                { name: say.wakes, cell: ({ wake_at: at, zones }) => <Proof at={at} zone={zones[0]} /> },
                { name: words.campaign.outcome, cell: ({ outcome }) => term(outcome ?? words.none) },
              ]}
            />
          </Listed>
        )}
      </Load>
    </Section>
  );
}
