import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, share, term } from "../../format.ts";
import { Choice } from "../../parts/choice.tsx";
import { Ask } from "../../parts/dialog.tsx";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import type { Params } from "../../parts/params.ts";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { words } from "../../words.ts";

const say = words.automations;

/** What runs on the platform after calls, and how it does. */
export function AutomationsPage() {
  const health = useRead("readAutomationHealth", {}, { everyMs: 60_000 });
  return (
    <Page title={words.pages.automations}>
      <Section title={say.all}>
        <Load of={health} empty={{ when: ({ items }) => items.length === 0, say: say.none }}>
          {({ items }) => (
            <Table
              caption={say.all}
              hideCaption
              rows={items}
              keyOf={({ name }) => name}
              columns={[
                {
                  name: say.name,
                  heads: true,
                  cell: ({ name }) => <Link href={`/automations/${encodeURIComponent(name)}`}>{name}</Link>,
                },
                { name: words.campaign.state, cell: ({ state }) => <Pill state={state} /> },
                {
                  name: say.succeeded,
                  end: true,
                  cell: ({ succeeded, failed }) => share(succeeded, succeeded + failed),
                },
                { name: say.failed, end: true, cell: ({ failed }) => count(failed) },
                { name: say.running, end: true, cell: ({ running }) => count(running) },
                {
                  name: say.last,
                  cell: ({ last }) =>
                    last === null ? (
                      words.none
                    ) : (
                      <>
                        <Pill state={last.status} /> <When at={last.started_at} />
                      </>
                    ),
                },
                {
                  name: say.alerts,
                  cell: ({ alerts }) =>
                    alerts.length === 0
                      ? words.none
                      : alerts.map(({ summary, remedy }) => (
                          <p key={summary}>
                            {summary} <span class="quiet">{remedy}</span>
                          </p>
                        )),
                },
              ]}
            />
          )}
        </Load>
      </Section>
    </Page>
  );
}

/** An automation: how it stands, what it ran, and running again what failed. */
export function AutomationPage({ params }: { params: Params }) {
  const name = decodeURIComponent(params["name"] ?? "");
  // No event tells of its steps.
  const automation = useRead("readAutomation", { path: { name } }, { everyMs: 10_000 });
  return (
    <Page title={name} actions={automation.data && <Actions automation={automation.data} />}>
      <Load of={automation}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.state} />
              {found.step !== null && <span>{term(found.step)}</span>}
            </p>
            {found.error !== null && <p class="note bad">{found.error}</p>}
            {found.drift !== null && found.drift.repaired_at === null && (
              <p class="note warn">{say.changed(found.drift.found)}</p>
            )}
            {found.last_test !== null && (
              <p>
                {found.last_test.ok ? say.tested : say.testFailed} {found.last_test.found}{" "}
                <When at={found.last_test.at} />
              </p>
            )}
            {found.reruns.length > 0 && <Reruns of={found.reruns} />}
          </>
        )}
      </Load>
      <Executions name={name} />
    </Page>
  );
}

function Actions({ automation: { name, state, drift } }: { automation: components.Automation }) {
  const may = useMay("testAutomation");
  const mayDeploy = useMay("deployAutomation");
  const path = { name };
  const test = useAct((client) => client.testAutomation({ path }));
  const retry = useAct((client) => client.retryAutomation({ path }));
  const deploy = useAct((client) => client.deployAutomation({ path }));
  const isChanged = drift !== null && drift.repaired_at === null;
  return (
    <>
      {may && (state === "failed" || (state === "ready" && isChanged)) && (
        <Ask
          label={say.retry}
          title={say.retryTitle(name)}
          does={say.retry}
          mainAction
          act={() => retry.mutateAsync(undefined)}
        >
          <p>{isChanged ? say.retryChangedMeans : say.retryMeans}</p>
        </Ask>
      )}
      {may && state === "ready" && (
        <Ask
          label={say.test}
          title={say.testTitle(name)}
          does={say.test}
          act={() => test.mutateAsync(undefined)}
        >
          <p>{say.testMeans}</p>
        </Ask>
      )}
      {mayDeploy && state === "ready" && (
        <Ask
          label={say.deploy}
          title={say.deployTitle(name)}
          does={say.deploy}
          act={() => deploy.mutateAsync(undefined)}
        >
          <p>{say.deployMeans}</p>
        </Ask>
      )}
    </>
  );
}

function Reruns({ of }: { of: components.Automation["reruns"] }) {
  return (
    <Section title={say.reruns}>
      <Table
        caption={say.reruns}
        hideCaption
        rows={of}
        keyOf={({ id }) => id}
        columns={[
          { name: say.execution, heads: true, cell: ({ repeats }) => <code>{repeats}</code> },
          { name: words.campaign.state, cell: ({ state }) => <Pill state={state} /> },
          { name: words.campaign.reason, cell: ({ error }) => error ?? words.none },
          { name: words.sequence.by, cell: ({ actor }) => actor },
          { name: words.campaign.at, cell: ({ asked_at: at }) => <When at={at} /> },
        ]}
      />
    </Section>
  );
}

function Executions({ name }: { name: string }) {
  const may = useMay("rerunExecution");
  const pages = usePages();
  const [which, setWhich] = useState<"failed" | "all">("failed");
  const executions = useRead(
    "listExecutions",
    { path: { name }, query: { failed: which === "failed", limit: 50, after: pages.after } },
    { everyMs: 30_000 },
  );
  return (
    <Section
      title={say.executions}
      aside={
        <Choice
          label={words.campaign.filter}
          options={[
            ["failed", say.showing.failed],
            ["all", say.showing.all],
          ]}
          value={which}
          choose={(chosen) => {
            setWhich(chosen);
            pages.restart();
          }}
        />
      }
    >
      <Load of={executions}>
        {({ items, next_after: next }) => (
          <Listed pages={pages} items={items} next={next} none={words.campaign.noneSuch}>
            <Table
              caption={say.executions}
              hideCaption
              rows={items}
              keyOf={({ execution_id: id }) => id}
              columns={[
                { name: say.began, heads: true, cell: ({ started_at: at }) => <When at={at} /> },
                { name: words.campaign.state, cell: ({ status }) => <Pill state={status} /> },
                { name: say.execution, cell: ({ execution_id: id }) => <code>{id}</code> },
                {
                  name: words.campaign.reason,
                  cell: ({ error, repeats }) =>
                    repeats === null ? (error ?? words.none) : say.repeats(repeats, error ?? ""),
                },
                // What did not fail is not run again, by the API's own rule.
                ...(may && which === "failed"
                  ? [
                      {
                        name: say.rerun,
                        cell: ({ execution_id: id }: components.Execution) => <Rerun id={id} />,
                      },
                    ]
                  : []),
              ]}
            />
          </Listed>
        )}
      </Load>
    </Section>
  );
}

function Rerun({ id }: { id: string }) {
  const rerun = useAct((client) => client.rerunExecution({ path: { id } }));
  return (
    <Ask label={say.rerun} title={say.rerunTitle} does={say.rerun} act={() => rerun.mutateAsync(undefined)}>
      <p>{say.rerunMeans}</p>
    </Ask>
  );
}
