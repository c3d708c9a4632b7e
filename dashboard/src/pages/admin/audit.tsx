import { useState } from "preact/hooks";

import { useRead } from "../../api/client.ts";
import { term } from "../../format.ts";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof } from "../../parts/when.tsx";
import { words } from "../../words.ts";

const say = words.audit;

/** Who did what, and when. */
export function AuditPage() {
  const [actor, setActor] = useState("");
  const [asked, setAsked] = useState<string>();
  const pages = usePages();
  const entries = useRead("listAudit", { query: { actor: asked, limit: 100, after: pages.after } });
  return (
    <Page title={words.pages.audit}>
      <Section
        title={say.all}
        aside={
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              setAsked(actor.trim() || undefined);
              pages.restart();
            }}
          >
            <label class="inline">
              {say.actor}
              <input value={actor} onInput={({ currentTarget }) => setActor(currentTarget.value)} />
            </label>
            <button type="submit">{say.find}</button>
          </form>
        }
      >
        <Load of={entries}>
          {({ items, next_after: next }) => (
            <Listed pages={pages} items={items} next={next} none={words.campaign.noneSuch}>
              <Table
                caption={say.all}
                hideCaption
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { name: words.campaign.at, heads: true, cell: ({ at }) => <Proof at={at} /> },
                  {
                    name: say.actor,
                    cell: ({ actor: by, on_behalf_of: whose }) =>
                      whose === null ? by : say.onBehalf(by, whose),
                  },
                  { name: words.campaign.what, cell: ({ action }) => term(action) },
                  {
                    name: say.detail,
                    cell: ({ detail }) =>
                      Object.keys(detail).length > 0 && (
                        <details>
                          <summary>{say.show}</summary>
                          <pre tabIndex={0}>{JSON.stringify(detail, undefined, 2)}</pre>
                        </details>
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
