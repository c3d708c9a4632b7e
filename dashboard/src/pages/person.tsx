import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useRead } from "../api/client.ts";
import { brandsOf, useMay, useSession } from "../api/session.ts";
import { moment, term, wallTime } from "../format.ts";
import { Ask } from "../parts/dialog.tsx";
import { Pager, usePages } from "../parts/more.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Load } from "../parts/state.tsx";
import { When } from "../parts/when.tsx";
import { words } from "../words.ts";
import { CallBack } from "./people/call-back.tsx";
import { Forget } from "./people/forget.tsx";
import type { Params } from "../parts/params.ts";

const say = words.person;

/** One story over everything that happened to a person, and did not, and why. */
export function PersonPage({ params }: { params: Params }) {
  const asked = decodeURIComponent(params["phone"] ?? "");
  const pages = usePages();
  const story = useRead(
    "readStory",
    { path: { phone: asked }, query: { after: pages.after, limit: 100 } },
    { everyMs: 60_000 },
  );
  const phone = story.data?.phone ?? asked;
  return (
    <Page
      title={phone}
      actions={
        <>
          <CallBack phone={phone} />
          <Suppress phone={phone} />
          <Forget phone={phone} />
        </>
      }
    >
      <Load of={story}>
        {(found) => (
          <>
            {found.simulated && <p class="note">{say.simulated}</p>}
            <Who story={found} />
            <Section title={say.story}>
              {found.entries.length === 0 ? (
                <p class="quiet">{say.none}</p>
              ) : (
                <ol class="stack" style={{ listStyle: "none" }}>
                  {found.entries.map((entry) => (
                    <li key={entry.id}>
                      <Entry entry={entry} />
                    </li>
                  ))}
                </ol>
              )}
              <Pager pages={pages} next={found.next_after} />
            </Section>
          </>
        )}
      </Load>
    </Page>
  );
}

function Suppress({ phone }: { phone: string }) {
  const may = useMay("addSuppressions");
  const session = useSession();
  const suppress = useAct((client, reason: string | undefined) =>
    client.addSuppressions({
      body: { entries: brandsOf(session).map((brand) => ({ phone, brand, reason: reason ?? "" })) },
    }),
  );
  if (!may) return null;
  return (
    <Ask
      label={say.suppress}
      title={say.suppressTitle(phone)}
      does={say.suppress}
      danger
      reason="needed"
      act={(reason) => suppress.mutateAsync(reason)}
    >
      <p>{say.suppressMeans(session.brands)}</p>
    </Ask>
  );
}

function Who({ story }: { story: components.Story }) {
  const { zones, places, counts, suppressed } = story;
  return (
    <section class="section" aria-label={say.title}>
      <dl class="facts">
        <dt>{say.zones}</dt>
        <dd>{[...places, ...zones].join(", ") || words.none}</dd>
        <dt>{say.counts}</dt>
        <dd>{say.countsOf(counts.campaigns, counts.calls, counts.enrolments)}</dd>
        <dt>{say.suppressed}</dt>
        <dd>
          {suppressed.length === 0 ? (
            say.notSuppressed
          ) : (
            <ul>
              {suppressed.map(({ brand, source, reason, since }) => (
                <li key={`${brand}${source}${since}`}>
                  {say.suppressedBy(source, reason)}, {say.forBrand(brand)}, <When at={since} />
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
    </section>
  );
}

function Entry({ entry }: { entry: components.StoryEntry }) {
  const may = useMay("readCall");
  const { at, local, what, campaign, sequence, facts, checks } = entry;
  return (
    <article class="note" aria-label={what}>
      <p class="small quiet">
        {local.map((there) => (
          <span key={there.zones.join()}>
            <time dateTime={at}>{wallTime(there.at)}</time> {there.zones.join(", ")} ·{" "}
          </span>
        ))}
        <time dateTime={at}>{moment(at, "UTC")}</time>
      </p>
      <p>{what}</p>
      {(campaign ?? sequence) && (
        <p class="small">
          {campaign && <Link href={`/campaigns/${campaign.id}`}>{campaign.name}</Link>}{" "}
          {sequence && <span class="quiet">{sequence.name}</span>}
        </p>
      )}
      {may && typeof facts["call_id"] === "string" && (
        <p class="small">
          <Link href={`/calls/${facts["call_id"]}`}>{say.call}</Link>
        </p>
      )}
      {typeof facts["enrolment_id"] === "string" && sequence && (
        <p class="small">
          <Link href={`/enrolments/${facts["enrolment_id"]}`}>{say.wayThrough(sequence.name)}</Link>
        </p>
      )}
      {Object.keys(facts).length > 0 && (
        <details>
          <summary>{say.facts}</summary>
          <dl class="facts small">
            {Object.entries(facts).map(([name, value]) => (
              <div key={name} style={{ display: "contents" }}>
                <dt>{term(name)}</dt>
                <dd>{Array.isArray(value) ? value.join(", ") : String(value ?? words.none)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {checks && checks.length > 0 && (
        <details>
          <summary>{say.checks}</summary>
          <ul>
            {checks.map(({ rule, allowed, says }) => (
              <li key={rule}>
                <strong>{term(rule)}</strong>{" "}
                <span class="quiet">{allowed === null ? "" : say[allowed ? "allowed" : "forbidden"]}</span>{" "}
                {says}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}
