import { useRead } from "../../api/client.ts";
import { count, share } from "../../format.ts";
import { Page, Section } from "../../parts/page.tsx";
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
                { name: say.name, heads: true, cell: ({ name }) => name },
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
