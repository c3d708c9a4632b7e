import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, term } from "../../format.ts";
import { Choice } from "../../parts/choice.tsx";
import { Ask } from "../../parts/dialog.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import { PersonLink } from "../../parts/person-link.tsx";
import type { Params } from "../../parts/params.ts";
import { SequenceDiagram } from "./diagram.tsx";

const say = words.sequence;

/** A person's way through a sequence, drawn on it. */
export function EnrolmentPage({ params }: { params: Params }) {
  const id = params["id"] ?? "";
  const enrolment = useRead("readEnrolment", { path: { id } }, { everyMs: 30_000 });
  return (
    <Page
      title={enrolment.data ? say.wayOf(enrolment.data.phone, enrolment.data.sequence) : words.states.loading}
      actions={enrolment.data?.state === "active" && <Actions enrolment={enrolment.data} />}
    >
      <Load of={enrolment}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.paused ? "paused" : found.state} />
              <PersonLink phone={found.phone} />
              <Link href={`/sequences/${found.sequence_id}`}>{found.sequence}</Link>
              {found.outcome !== null && <span>{term(found.outcome)}</span>}
              {found.reason !== null && <span class="quiet">{found.reason}</span>}
            </p>
            <Section title={say.diagram}>
              <SequenceDiagram
                id={found.sequence_id}
                version={found.version}
                people={found.step === null ? {} : { [found.step]: 1 }}
                way={found.journey.flatMap(({ step }) => step ?? [])}
              />
            </Section>
            <Section title={say.journey}>
              <Table
                caption={say.journey}
                hideCaption
                rows={found.journey}
                keyOf={({ n }) => n}
                columns={[
                  {
                    name: words.campaign.at,
                    heads: true,
                    cell: ({ at }) => <Proof at={at} zone={found.zones[0]} />,
                  },
                  { name: say.step, cell: ({ step }) => step ?? words.none },
                  { name: words.campaign.what, cell: ({ what }) => term(what) },
                ]}
              />
            </Section>
          </>
        )}
      </Load>
    </Page>
  );
}

function Actions({ enrolment }: { enrolment: components.Enrolment }) {
  const { id, paused } = enrolment;
  const may = useMay("pauseEnrolment");
  const path = { id };
  const pause = useAct((client, reason: string | undefined) =>
    client.pauseEnrolment({ path, body: { reason } }),
  );
  const resume = useAct((client, reason: string | undefined) =>
    client.resumeEnrolment({ path, body: { reason } }),
  );
  const skip = useAct((client, reason: string | undefined) =>
    client.skipEnrolment({ path, body: { reason } }),
  );
  const exit = useAct((client, reason: string | undefined) =>
    client.exitEnrolment({ path, body: { reason } }),
  );
  if (!may) return null;
  return (
    <>
      {paused ? (
        <Ask
          label={words.campaign.resume}
          title={say.resumeOne}
          does={words.campaign.resume}
          reason="may"
          act={(reason) => resume.mutateAsync(reason)}
        />
      ) : (
        <Ask
          label={words.campaign.pause}
          title={say.pauseOne}
          does={words.campaign.pause}
          reason="may"
          act={(reason) => pause.mutateAsync(reason)}
        />
      )}
      <Ask
        label={say.skip}
        title={say.skipTitle}
        does={say.skip}
        reason="may"
        act={(reason) => skip.mutateAsync(reason)}
      />
      <Move enrolment={enrolment} />
      <Ask
        label={say.exit}
        title={say.exitTitle}
        does={say.exit}
        danger
        reason="may"
        act={(reason) => exit.mutateAsync(reason)}
      />
    </>
  );
}

/** To another version, where there is one. */
function Move({ enrolment: { id, sequence_id: ref, version: own } }: { enrolment: components.Enrolment }) {
  const sequence = useRead("readSequence", { path: { ref } });
  const [chosen, setChosen] = useState<string>();
  const others = (sequence.data?.versions ?? []).filter(({ version }) => version !== own);
  const version = chosen ?? String(others[0]?.version ?? "");
  const move = useAct((client, reason: string | undefined) =>
    client.moveEnrolment({ path: { id }, body: { version: Number(version), reason } }),
  );
  if (others.length === 0) return null;
  return (
    <Ask
      label={say.move}
      title={say.moveTitle(own)}
      does={say.move}
      reason="may"
      act={(reason) => move.mutateAsync(reason)}
    >
      <p>{say.moveMeans}</p>
      <Choice
        label={say.version}
        options={others.map(({ version: n }) => [String(n), count(n)] as const)}
        value={version}
        choose={setChosen}
      />
    </Ask>
  );
}
