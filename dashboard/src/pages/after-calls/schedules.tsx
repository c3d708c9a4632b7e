import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { OWN_ZONE } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof, When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import type { Params } from "../../parts/params.ts";
import { useState } from "preact/hooks";

const say = words.schedules;

export function SchedulesPage() {
  const schedules = useRead("listSchedules", {}, { everyMs: 30_000 });
  return (
    <Page title={words.pages.schedules}>
      <Section title={say.all}>
        <Load of={schedules} empty={{ when: ({ items }) => items.length === 0, say: say.none }}>
          {({ items }) => (
            <Table
              caption={say.all}
              hideCaption
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: say.name,
                  heads: true,
                  cell: ({ name }) => <Link href={`/schedules/${encodeURIComponent(name)}`}>{name}</Link>,
                },
                { name: words.campaign.state, cell: ({ state }) => <Pill state={state} /> },
                {
                  name: words.campaign.reason,
                  cell: ({ reason, drift }) => reason ?? (drift ? say.drift : words.none),
                },
                { name: words.campaign.at, cell: ({ updated_at: at }) => <When at={at} /> },
              ]}
            />
          )}
        </Load>
      </Section>
    </Page>
  );
}

/** A schedule: when it ran, what it missed, and when it runs next. */
export function SchedulePage({ params }: { params: Params }) {
  const name = decodeURIComponent(params["name"] ?? "");
  const pages = usePages();
  const schedule = useRead("readSchedule", { path: { name } }, { everyMs: 30_000 });
  const runs = useRead("listRuns", { path: { name }, query: { limit: 50, after: pages.after } });
  return (
    <Page title={name} actions={schedule.data && <Actions schedule={schedule.data} />}>
      <Load of={schedule}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.state} />
              {found.reason !== null && <span>{found.reason}</span>}
            </p>
            {found.drift && <p class="note warn">{found.drift.found}</p>}
            <Section title={say.next}>
              {found.next.length === 0 ? (
                <p class="quiet">{say.nextNone}</p>
              ) : (
                <ul>
                  {found.next.map((at) => (
                    <li key={at}>
                      <Proof at={at} />
                    </li>
                  ))}
                </ul>
              )}
            </Section>
          </>
        )}
      </Load>
      <Section title={say.runs}>
        <Load of={runs}>
          {({ items, next_after: next }) => (
            <Listed pages={pages} items={items} next={next} none={say.runsNone}>
              <Table
                caption={say.runs}
                hideCaption
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { name: say.due, heads: true, cell: ({ due_at: at }) => <Proof at={at} /> },
                  { name: words.campaign.state, cell: ({ state }) => <Pill state={state} /> },
                  { name: say.cause, cell: ({ cause }) => say.causes[cause] },
                  {
                    name: words.campaign.reason,
                    cell: ({ reason, campaign_id: campaign }) =>
                      campaign === null ? (
                        (reason ?? words.none)
                      ) : (
                        <Link href={`/campaigns/${campaign}`}>{words.overview.name}</Link>
                      ),
                  },
                ]}
              />
            </Listed>
          )}
        </Load>
      </Section>
    </Page>
  );
}

function Actions({ schedule: { name, state, drift } }: { schedule: components.Schedule }) {
  const may = useMay("runSchedule");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const path = { name };
  const run = useAct((client) => client.runSchedule({ path, body: {} }));
  const pause = useAct((client, reason: string | undefined) =>
    client.pauseSchedule({ path, body: { reason } }),
  );
  const resume = useAct((client) => client.resumeSchedule({ path }));
  const repair = useAct((client, reason: string | undefined) =>
    client.repairSchedule({ path, body: { reason } }),
  );
  const [said, setSaid] = useState<string>();
  const backfill = useAct(async (client) => {
    const { runs, already } = await client.backfillSchedule({
      path,
      body: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    });
    setSaid(say.backfilled(runs.length, already));
  });
  if (!may || state === "removed") return null;
  return (
    <>
      {said !== undefined && <span role="status">{said}</span>}
      <Ask
        label={say.run}
        title={say.runTitle(name)}
        does={say.run}
        mainAction
        act={() => run.mutateAsync(undefined)}
      />
      {state === "active" ? (
        <Ask
          label={words.campaign.pause}
          title={words.campaign.pauseTitle(name)}
          does={words.campaign.pause}
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
          act={() => resume.mutateAsync(undefined)}
        />
      )}
      {drift !== null && drift.repaired_at === null && (
        <Ask
          label={say.repair}
          title={say.repairTitle(name)}
          does={say.repair}
          reason="may"
          act={(reason) => repair.mutateAsync(reason)}
        >
          <p>{say.repairMeans}</p>
        </Ask>
      )}
      <Ask
        label={say.backfill}
        title={say.backfillTitle}
        does={say.backfill}
        blocked={from === "" || to === ""}
        act={() => backfill.mutateAsync(undefined)}
      >
        <p>{say.backfillMeans(OWN_ZONE)}</p>
        <label>
          {say.from}
          <input
            type="datetime-local"
            value={from}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        <label>
          {say.to}
          <input
            type="datetime-local"
            value={to}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </label>
      </Ask>
    </>
  );
}
