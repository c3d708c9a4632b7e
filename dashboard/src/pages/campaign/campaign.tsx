import { Link } from "wouter-preact";
import type { FunctionComponent } from "preact";

import { useRead } from "../../api/client.ts";
import { Page } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { words } from "../../words.ts";
import type { Params } from "../../parts/params.ts";
import { AheadPart } from "./ahead.tsx";
import { AmendPart } from "./amend.tsx";
import { CampaignActions } from "./actions.tsx";
import { BatchesPart, CallsPart, HistoryPart, PeoplePart } from "./lists.tsx";
import { NowPart } from "./now.tsx";
import type { PartProps } from "./part.ts";
import { ResultsPart } from "./results.tsx";

const say = words.campaign;

const PARTS: Readonly<Record<keyof typeof say.parts, FunctionComponent<PartProps>>> = {
  now: NowPart,
  ahead: AheadPart,
  people: PeoplePart,
  calls: CallsPart,
  batches: BatchesPart,
  results: ResultsPart,
  amend: AmendPart,
  events: HistoryPart,
};

function partOf(name: string | undefined): keyof typeof PARTS {
  return name !== undefined && Object.hasOwn(PARTS, name) ? (name as keyof typeof PARTS) : "now";
}

/** A campaign: how it does, what holds it back, and all that can be done with it. */
export function CampaignPage({ params }: { params: Params }) {
  const ref = params["ref"] ?? "";
  const part = partOf(params["part"]);
  const campaign = useRead("readCampaign", { path: { ref } });
  const Part = PARTS[part];
  return (
    <Page
      title={campaign.data?.name ?? words.states.loading}
      actions={campaign.data && <CampaignActions campaign={campaign.data} />}
    >
      <Load of={campaign}>
        {(found) => (
          <>
            <p class="row">
              <Pill state={found.state} />
              {found.state_reason !== null && <span>{found.state_reason}</span>}
              <span class="quiet small">
                {found.brand} · {say.run(found.run)}
              </span>
            </p>
            <nav class="tabs" aria-label={say.tabs}>
              <ul>
                {(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((name) => (
                  <li key={name}>
                    <Link
                      href={`/campaigns/${ref}${name === "now" ? "" : `/${name}`}`}
                      aria-current={name === part ? "page" : undefined}
                    >
                      {say.parts[name]}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
            <Part key={found.id} campaign={found} />
          </>
        )}
      </Load>
    </Page>
  );
}
