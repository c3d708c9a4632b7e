import { useState } from "preact/hooks";

import { useRead } from "../api/client.ts";
import { count, moment } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { Page, Section } from "../parts/page.tsx";
import { PersonLink } from "../parts/person-link.tsx";
import { Load } from "../parts/state.tsx";
import { Table } from "../parts/table.tsx";
import { Proof } from "../parts/when.tsx";
import { words } from "../words.ts";

const say = words.people;

const DAYS = ["1", "7", "31"] as const;
const CALLS = ["2", "3", "5", "10"] as const;

/** Who was called more than once of late, whichever campaign or sequence called. */
export function PeoplePage() {
  const [days, setDays] = useState<(typeof DAYS)[number]>("7");
  const [calls, setCalls] = useState<(typeof CALLS)[number]>("2");
  const found = useRead(
    "listOftenCalled",
    { query: { days: Number(days), calls: Number(calls), limit: 100 } },
    { everyMs: 60_000 },
  );
  return (
    <Page title={words.pages.people}>
      <Section
        title={say.title(calls)}
        aside={
          <div class="row">
            <Choice
              label={say.calls}
              options={CALLS.map((one) => [one, say.atLeast(one)] as const)}
              value={calls}
              choose={setCalls}
            />
            <Choice
              label={say.within}
              options={DAYS.map((one) => [one, say.days[one]] as const)}
              value={days}
              choose={setDays}
            />
          </div>
        }
      >
        <Load of={found} empty={{ when: ({ items }) => items.length === 0, say: say.none }}>
          {({ items, total, looked_through: looked, back_to: back }) => (
            <>
              <p class="quiet">{say.total(total, looked)}</p>
              {back !== null && <p class="note warn">{say.notAll(moment(back))}</p>}
              <Table
                caption={say.title(calls)}
                hideCaption
                rows={items}
                keyOf={({ phone, last_at: at }) => `${phone} ${at}`}
                columns={[
                  {
                    name: words.campaign.phone,
                    heads: true,
                    cell: ({ phone }) => <PersonLink phone={phone} />,
                  },
                  { name: words.campaign.attempts, end: true, cell: ({ calls: made }) => count(made) },
                  { name: say.campaigns, end: true, cell: ({ campaigns }) => count(campaigns) },
                  { name: say.last, cell: ({ last_at: at }) => <Proof at={at} /> },
                ]}
              />
              {total > items.length && <p class="small quiet">{say.first(items.length)}</p>}
            </>
          )}
        </Load>
      </Section>
      <p class="quiet">{say.find}</p>
    </Page>
  );
}
