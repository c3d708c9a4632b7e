import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Pager, usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Failure, Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof, When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import { PersonLink } from "../../parts/person-link.tsx";
import { Choice } from "../../parts/choice.tsx";
import type { Params } from "../../parts/params.ts";
import { ManyFollowUps, type Showing } from "./many-follow-ups.tsx";

const say = words.followUps;

/** What was to be done after calls; what failed comes first. */
export function FollowUpsPage() {
  const may = useMay("readFollowUp");
  const [showing, setShowing] = useState<Showing>("failed");
  const pages = usePages();
  const query = {
    failed: { failed: true },
    open: { state: "acting" as const },
    done: { state: "done" as const },
  }[showing];
  const followUps = useRead("listFollowUps", { query: { ...query, limit: 50, after: pages.after } });
  return (
    <Page title={words.pages.followUps}>
      <Section
        title={say.showing[showing]}
        aside={
          <Choice
            label={words.campaign.filter}
            options={(["failed", "open", "done"] as const).map((one) => [one, say.showing[one]] as const)}
            value={showing}
            choose={(chosen) => {
              setShowing(chosen);
              pages.restart();
            }}
          />
        }
      >
        {showing === "failed" && <p class="quiet">{say.kept}</p>}
        <Load of={followUps}>
          {({ items, total }) => (
            <ManyFollowUps key={showing} showing={showing} items={items} total={total}>
              {(choosing) =>
                items.length === 0 ? (
                  <p class="quiet">{say.none[showing]}</p>
                ) : (
                  <Table
                    caption={say.showing[showing]}
                    hideCaption
                    rows={items}
                    keyOf={({ id }) => id}
                    columns={[
                      ...choosing,
                      {
                        name: words.campaign.phone,
                        heads: true,
                        cell: ({ phone }) => <PersonLink phone={phone} />,
                      },
                      {
                        name: say.open,
                        cell: ({ id, failed_actions: failed }) =>
                          may ? (
                            <Link href={`/follow-ups/${id}`}>
                              {failed > 0 ? say.failedOf(failed) : say.look}
                            </Link>
                          ) : (
                            failed > 0 && say.failedOf(failed)
                          ),
                      },
                      { name: words.campaign.state, cell: ({ state }) => <Pill state={state} /> },
                      {
                        name: words.overview.name,
                        cell: ({ campaign_id: id, campaign }) => (
                          <Link href={`/campaigns/${id}`}>{campaign}</Link>
                        ),
                      },
                      {
                        name: words.campaign.outcome,
                        cell: ({ disposition }) => <Pill state={disposition} />,
                      },
                      { name: words.campaign.at, cell: ({ created_at: at }) => <When at={at} /> },
                    ]}
                  />
                )
              }
            </ManyFollowUps>
          )}
        </Load>
        {followUps.data && <Pager pages={pages} next={followUps.data.next_after} />}
      </Section>
    </Page>
  );
}

/** One follow-up: what was sent, what came back, and the way on. */
export function FollowUpPage({ params }: { params: Params }) {
  const id = params["id"] ?? "";
  const followUp = useRead("readFollowUp", { path: { id } });
  return (
    <Page title={followUp.data ? say.of(followUp.data.phone) : words.states.loading}>
      <Load of={followUp}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.state} />
              <PersonLink phone={found.phone} />
              <Link href={`/campaigns/${found.campaign_id}`}>{found.campaign}</Link>
              <Pill state={found.disposition} />
              <span class="quiet">{found.rules?.join(", ")}</span>
            </p>
            {found.actions.length === 0 && <p class="quiet">{say.nothingToDo}</p>}
            {found.actions.map((action) => (
              <Action key={action.id} action={action} />
            ))}
          </>
        )}
      </Load>
    </Page>
  );
}

function Action({ action }: { action: components.Action }) {
  const { id, kind, state, tries, error, request, answer } = action;
  const may = useMay("retryAction");
  const path = { id };
  const retry = useAct((client, reason: string | undefined) =>
    client.retryAction({ path, body: { reason } }),
  );
  const skip = useAct((client, reason: string | undefined) => client.skipAction({ path, body: { reason } }));
  const replay = useAct((client, reason: string | undefined) =>
    client.replayAction({ path, body: { reason } }),
  );
  const isStuck = state === "failed" || state === "unknown";
  return (
    <Section title={term(kind)} aside={<Pill state={state} />}>
      <dl class="facts">
        <dt>{say.tries}</dt>
        <dd>{count(tries)}</dd>
        <dt>{say.next}</dt>
        <dd>
          <Proof at={action.next_try_at} />
        </dd>
        <dt>{say.ended}</dt>
        <dd>
          <Proof at={action.ended_at} />
        </dd>
      </dl>
      {error !== null && <p class="note bad">{error}</p>}
      <div class="columns">
        <Sent title={say.sent} of={request ?? action.spec} />
        <Sent title={say.answered} of={answer} />
      </div>
      {may && (
        <p class="row">
          {isStuck && (
            <Ask
              label={say.retry}
              title={say.retryTitle}
              does={say.retry}
              mainAction
              reason="may"
              act={(reason) => retry.mutateAsync(reason)}
            >
              {state === "unknown" && <p>{say.unknownMeans}</p>}
            </Ask>
          )}
          {isStuck && (
            <Ask
              label={say.skip}
              title={say.skipTitle}
              does={say.skip}
              reason="may"
              act={(reason) => skip.mutateAsync(reason)}
            />
          )}
          {state === "done" && (
            <Ask
              label={say.replay}
              title={say.replayTitle}
              does={say.replay}
              reason="may"
              act={(reason) => replay.mutateAsync(reason)}
            >
              <p>{say.replayMeans}</p>
            </Ask>
          )}
        </p>
      )}
      {retry.error && <Failure error={retry.error} />}
    </Section>
  );
}

function Sent({ title, of }: { title: string; of: { [name: string]: unknown } | null }) {
  return (
    <div class="stack">
      <h3>{title}</h3>
      {of === null ? (
        <p class="quiet">{words.none}</p>
      ) : (
        <pre tabIndex={0} aria-label={title}>
          {JSON.stringify(of, undefined, 2)}
        </pre>
      )}
    </div>
  );
}
