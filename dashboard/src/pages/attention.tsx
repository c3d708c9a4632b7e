import { useState } from "preact/hooks";
import type { components } from "outdial/api";

import { useAct, useRead } from "../api/client.ts";
import { useMay, useSession } from "../api/session.ts";
import { term } from "../format.ts";
import { Ask } from "../parts/dialog.tsx";
import { Listed } from "../parts/listed.tsx";
import { usePages } from "../parts/more.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Failure, Load } from "../parts/state.tsx";
import { When } from "../parts/when.tsx";
import { Choice } from "../parts/choice.tsx";
import { words } from "../words.ts";

const say = words.attention;

/** What waits for a person: its cause, what helps, and who looks after it. */
export function AttentionPage() {
  const [resolved, setResolved] = useState(false);
  const pages = usePages();
  const entries = useRead("listAttention", { query: { resolved, limit: 50, after: pages.after } });
  return (
    <Page title={say.title}>
      <Section
        title={resolved ? say.done : say.waiting}
        aside={
          <Choice
            label={say.showing}
            options={[
              ["waiting", say.waiting],
              ["done", say.done],
            ]}
            value={resolved ? "done" : "waiting"}
            choose={(chosen) => {
              setResolved(chosen === "done");
              pages.restart();
            }}
          />
        }
      >
        <Load of={entries}>
          {({ items, next_after: next }) => (
            <Listed pages={pages} items={items} next={next} none={resolved ? say.noneDone : say.none}>
              {items.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </Listed>
          )}
        </Load>
      </Section>
    </Page>
  );
}

function Entry({ entry }: { entry: components.Attention }) {
  const { id, kind, summary, remedy, at, times, resolved_at: resolvedAt } = entry;
  const may = useMay("resolveAttention");
  const { name } = useSession();
  const acknowledge = useAct((client) => client.acknowledgeAttention({ path: { id }, body: { by: name } }));
  const resolve = useAct((client, reason: string | undefined) =>
    client.resolveAttention({ path: { id }, body: { reason: reason ?? "" } }),
  );
  return (
    <article class={`note ${resolvedAt === null ? "warn" : ""}`} aria-label={summary}>
      <div class="head">
        <h3>{term(kind)}</h3>
        <span class="small quiet">
          <When at={at} /> {times > 1 && `· ${say.times(times)}`}
        </span>
      </div>
      <p>{summary}</p>
      <p>
        <strong>{say.remedy}:</strong> {remedy}
      </p>
      {resolvedAt !== null && (
        <p class="small quiet">
          {entry.resolution} {say.resolvedBy(entry.resolved_by, resolvedAt)}
        </p>
      )}
      {resolvedAt === null && (
        <div class="row">
          {entry.acknowledged_at !== null && (
            <span class="small quiet">{say.acknowledged(entry.acknowledged_by)}</span>
          )}
          {may && entry.acknowledged_at === null && (
            <button type="button" onClick={() => acknowledge.mutate(undefined)}>
              {say.acknowledge}
            </button>
          )}
          {may && (
            <Ask
              label={say.resolve}
              title={say.resolveTitle}
              does={say.resolve}
              reason="needed"
              act={(reason) => resolve.mutateAsync(reason)}
            >
              <p>{say.resolveMeans}</p>
            </Ask>
          )}
        </div>
      )}
      {acknowledge.error && <Failure error={acknowledge.error} />}
    </article>
  );
}
