import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, moment, term } from "../../format.ts";
import { Bulk } from "../../parts/bulk.tsx";
import { ChooseAll, chosenColumn, useChosen } from "../../parts/chosen.tsx";
import { Ask } from "../../parts/dialog.tsx";
import { Pager, usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Failure, Load } from "../../parts/state.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import { Choice } from "../../parts/choice.tsx";
import type { Params } from "../../parts/params.ts";

const say = words.triggers;

export function TriggersPage() {
  const triggers = useRead("listTriggers", {}, { everyMs: 60_000 });
  return (
    <Page title={words.pages.triggers}>
      <Section title={say.all}>
        <Load of={triggers} empty={{ when: ({ items }) => items.length === 0, say: say.none }}>
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
                  cell: ({ name }) => <Link href={`/triggers/${encodeURIComponent(name)}`}>{name}</Link>,
                },
                {
                  name: words.campaign.state,
                  cell: ({ enabled }) => (
                    <Pill state={enabled ? say.on : say.off} tone={enabled ? "good" : "warn"} />
                  ),
                },
                { name: words.sequence.version, end: true, cell: ({ version }) => count(version) },
                { name: say.address, cell: ({ path }) => <code>{path}</code> },
              ]}
            />
          )}
        </Load>
      </Section>
    </Page>
  );
}

const STATES = ["failed", "received", "done", "ignored"] as const;

/** A trigger: what came in through it, and what of that failed. */
export function TriggerPage({ params }: { params: Params }) {
  const name = decodeURIComponent(params["name"] ?? "");
  const [state, setState] = useState<(typeof STATES)[number]>("failed");
  const pages = usePages();
  const trigger = useRead("readTrigger", { path: { name } });
  const deliveries = useRead("listDeliveries", {
    path: { name },
    query: { state, limit: 50, after: pages.after },
  });
  return (
    <Page
      title={name}
      actions={
        trigger.data && (
          <>
            <RetryAll name={name} failed={trigger.data.failed_deliveries} />
            <OnOff name={name} enabled={trigger.data.enabled} />
          </>
        )
      }
    >
      <Load of={trigger}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.enabled ? say.on : say.off} tone={found.enabled ? "good" : "warn"} />
              <code>{found.path}</code>
            </p>
            {found.warnings.map((warning) => (
              <p class="note warn" key={warning}>
                {warning}
              </p>
            ))}
          </>
        )}
      </Load>
      <Section
        title={say.deliveries}
        aside={
          <Choice
            label={words.campaign.filter}
            options={STATES.map((one) => [one, term(one)] as const)}
            value={state}
            choose={(chosen) => {
              setState(chosen);
              pages.restart();
            }}
          />
        }
      >
        <Load of={deliveries}>
          {({ items }) => (
            <ManyDeliveries key={state} state={state} items={items}>
              {(choosing) =>
                items.length === 0 ? (
                  <p class="quiet">{words.campaign.noneSuch}</p>
                ) : (
                  <Table
                    caption={say.deliveries}
                    hideCaption
                    rows={items}
                    keyOf={({ id }) => id}
                    columns={[
                      ...choosing,
                      {
                        name: say.received,
                        heads: true,
                        cell: ({ received_at: at, id }) => (
                          <Link href={`/deliveries/${id}`}>
                            <When at={at} />
                          </Link>
                        ),
                      },
                      { name: words.campaign.state, cell: ({ state: now }) => <Pill state={now} /> },
                      { name: say.times, end: true, cell: ({ times }) => count(times) },
                      {
                        name: say.result,
                        cell: ({ result }) => (
                          <code>{result === null ? words.none : JSON.stringify(result)}</code>
                        ),
                      },
                    ]}
                  />
                )
              }
            </ManyDeliveries>
          )}
        </Load>
        {deliveries.data && <Pager pages={pages} next={deliveries.data.next_after} />}
      </Section>
    </Page>
  );
}

interface ManyProps {
  state: (typeof STATES)[number];
  items: readonly components.DeliverySummary[];
  children: (choosing: readonly Column<components.DeliverySummary>[]) => ComponentChildren;
}

/** A list of deliveries, of which those that are chosen are worked off again. */
function ManyDeliveries({ state, items, children }: ManyProps) {
  const may = useMay("retryDelivery");
  const ids = items.map(({ id }) => id);
  const chosen = useChosen(ids);
  const [said, setSaid] = useState("");
  if (!may || state !== "failed") return <>{children([])}</>;
  return (
    <>
      {items.length > 0 && (
        <div class="row">
          <ChooseAll chosen={chosen} ids={ids} />
          <Bulk
            label={say.retryChosen(chosen.chosen.length)}
            count={async () => chosen.chosen.map((id) => ({ id, kind: say.delivery }))}
            title={say.retryAllTitle}
            act={(client, { id }) => client.retryDelivery({ path: { id } })}
            tell={setSaid}
            done={chosen.clear}
          />
        </div>
      )}
      <p role="status">{said}</p>
      {children([chosenColumn<components.DeliverySummary>(chosen, ({ received_at: at }) => moment(at))])}
    </>
  );
}

function RetryAll({ name, failed }: { name: string; failed: number }) {
  const may = useMay("retryDeliveries");
  const [done, setDone] = useState<number>();
  const retry = useAct(async (client) => {
    let sum = 0;
    let after: string | undefined;
    do {
      const { retried, next_after: next } = await client.retryDeliveries({
        path: { name },
        query: { after },
      });
      sum += retried;
      setDone(sum);
      after = next ?? undefined;
    } while (after !== undefined);
  });
  return (
    <>
      {done !== undefined && <span role="status">{say.retried(done)}</span>}
      {may && failed > 0 && (
        <Ask
          label={say.retryAll(failed)}
          title={say.retryAllTitle(failed)}
          does={say.retryAll(failed)}
          mainAction
          act={() => retry.mutateAsync(undefined)}
        >
          <p>{say.retryMeans}</p>
        </Ask>
      )}
    </>
  );
}

function OnOff({ name, enabled }: { name: string; enabled: boolean }) {
  const may = useMay("disableTrigger");
  const path = { name };
  const disable = useAct((client) => client.disableTrigger({ path }));
  const enable = useAct((client) => client.enableTrigger({ path }));
  if (!may) return null;
  return enabled ? (
    <Ask
      label={say.disable}
      title={say.disableTitle(name)}
      does={say.disable}
      danger
      act={() => disable.mutateAsync(undefined)}
    >
      <p>{say.disableMeans}</p>
    </Ask>
  ) : (
    <Ask
      label={say.enable}
      title={say.enableTitle(name)}
      does={say.enable}
      act={() => enable.mutateAsync(undefined)}
    />
  );
}

/** What came in once: as it came, and what was made of it. */
export function DeliveryPage({ params }: { params: Params }) {
  const id = params["id"] ?? "";
  const may = useMay("retryDelivery");
  const delivery = useRead("readDelivery", { path: { id } });
  const retry = useAct((client) => client.retryDelivery({ path: { id } }));
  const skip = useAct((client, reason: string | undefined) =>
    client.skipDelivery({ path: { id }, body: { reason } }),
  );
  return (
    <Page
      title={say.delivery}
      actions={
        may &&
        delivery.data?.state === "failed" && (
          <>
            <button type="button" class="main-action" onClick={() => retry.mutate(undefined)}>
              {words.followUps.retry}
            </button>
            <Ask
              label={words.followUps.skip}
              title={words.followUps.skipTitle}
              does={words.followUps.skip}
              reason="may"
              act={(reason) => skip.mutateAsync(reason)}
            >
              <p>{say.skipMeans}</p>
            </Ask>
          </>
        )
      }
    >
      {retry.error && <Failure error={retry.error} />}
      <Load of={delivery}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.state} />
              <Link href={`/triggers/${encodeURIComponent(found.trigger)}`}>{found.trigger}</Link>
              <When at={found.received_at} />
            </p>
            <Section title={say.result}>
              <pre tabIndex={0} aria-label={say.result}>
                {JSON.stringify(found.result, undefined, 2)}
              </pre>
            </Section>
            <Section title={say.body}>
              {found.body === null ? (
                <p class="quiet">{say.bodyGone}</p>
              ) : (
                <pre tabIndex={0} aria-label={say.body}>
                  {found.body.text}
                </pre>
              )}
            </Section>
          </>
        )}
      </Load>
    </Page>
  );
}
