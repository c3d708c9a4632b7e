import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Listed } from "../../parts/listed.tsx";
import { usePages } from "../../parts/more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { words } from "../../words.ts";

const say = words.sessions;

/** Who is signed in in browsers, and putting them out. */
export function SessionsPage() {
  const pages = usePages();
  // That somebody signs in is told by no event.
  const sessions = useRead("listSessions", { query: { limit: 50, after: pages.after } }, { everyMs: 30_000 });
  return (
    <Page title={words.pages.sessions}>
      <Section title={say.all}>
        <Load of={sessions}>
          {({ items, next_after: next }) => (
            <Listed pages={pages} items={items} next={next} none={say.none}>
              <Table
                caption={say.all}
                hideCaption
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { name: say.who, heads: true, cell: ({ name }) => name },
                  { name: say.by, cell: ({ kind }) => say.kinds[kind] },
                  { name: words.tokens.role, cell: ({ role }) => words.roles[role] },
                  {
                    name: words.tokens.brands,
                    cell: ({ brands }) => brands?.join(", ") ?? words.tokens.everyBrand,
                  },
                  { name: say.since, cell: ({ created_at: at }) => <When at={at} /> },
                  { name: say.lastUsed, cell: ({ last_used_at: at }) => <When at={at} /> },
                  { name: words.tokens.expires, cell: ({ idle_expires_at: at }) => <When at={at} /> },
                  { name: say.end, cell: (session) => <End session={session} /> },
                ]}
              />
            </Listed>
          )}
        </Load>
      </Section>
    </Page>
  );
}

/** One's own ends by signing out. */
function End({ session: { id, name, own } }: { session: components.SessionSeen }) {
  const end = useAct((client, reason: string | undefined) =>
    client.endOtherSession({ path: { id }, body: { reason: reason ?? "" } }),
  );
  if (own) return <Pill state={say.own} tone="good" />;
  return (
    <Ask
      label={say.end}
      title={say.endTitle(name)}
      does={say.end}
      danger
      reason="needed"
      act={(reason) => end.mutateAsync(reason)}
    >
      <p>{say.endMeans}</p>
    </Ask>
  );
}
