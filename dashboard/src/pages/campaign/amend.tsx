import { useMutation } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { stringify } from "yaml";
import type { components } from "outdial/api";

import { useAct, useClient } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { Failure } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof } from "../../parts/when.tsx";
import { useYaml, YamlEditor } from "../../parts/yaml-editor.tsx";
import { words } from "../../words.ts";
import type { PartProps } from "./part.ts";

const say = words.campaign;

/** Its document; changed, looked at by what it would do, and put in force under the version that was looked at. */
export function AmendPart({ campaign }: PartProps) {
  const may = useMay("operator");
  const client = useClient();
  const [text, setText] = useState(() => stringify(campaign.spec));
  const reading = useYaml(text);
  const spec = reading.value as components.CampaignSpec | undefined;
  const path = { ref: campaign.id };
  const preview = useMutation({
    mutationFn: async (spec: components.CampaignSpec) => client.previewAmendment({ path, body: { spec } }),
  });
  const isOver = campaign.state === "completed" || campaign.state === "cancelled";
  const change = (changed: string) => {
    setText(changed);
    // What was looked at is not what stands there now.
    preview.reset();
  };
  return (
    <>
      <Section title={say.spec}>
        <YamlEditor
          label={say.spec}
          hint={say.specHint}
          text={text}
          reading={reading}
          refused={preview.error}
          readOnly={!may || isOver}
          change={change}
        />
        {may && !isOver && (
          <p>
            <button
              type="button"
              class="main-action"
              aria-disabled={spec === undefined || preview.isPending}
              onClick={() => spec && preview.mutate(spec)}
            >
              {preview.isPending ? words.dialog.busy : say.preview}
            </button>
          </p>
        )}
        {preview.error && <Failure error={preview.error} />}
      </Section>
      {preview.data && spec && <Effects campaign={campaign} found={preview.data} spec={spec} />}
    </>
  );
}

interface EffectsProps extends PartProps {
  found: components.AmendmentPreview;
  spec: components.CampaignSpec;
}

function Effects({ campaign, found, spec }: EffectsProps) {
  const amend = useAct((client, reason: string | undefined) =>
    client.amendCampaign({
      path: { ref: campaign.id },
      body: { spec, reason, if_version: found.policy_version },
    }),
  );
  if (found.differences.length === 0) {
    return (
      <p class="note" role="status">
        {say.previewNothing}
      </p>
    );
  }
  return (
    <Section title={say.previewTitle}>
      <Table
        caption={say.previewTitle}
        hideCaption
        rows={found.differences}
        keyOf={({ field }) => field}
        columns={[
          { name: say.field, heads: true, cell: ({ field }) => <code>{field}</code> },
          { name: say.before, cell: ({ before }) => before },
          { name: say.after, cell: ({ after }) => after },
        ]}
      />
      {found.parts.map((part) => (
        <PartEffects key={part.campaign_id} part={part} />
      ))}
      <p>
        <Ask
          label={say.amendDoes}
          title={say.amendTitle}
          does={say.amendDoes}
          mainAction
          reason="may"
          act={(reason) => amend.mutateAsync(reason)}
        />
      </p>
    </Section>
  );
}

function fate({ kind, reason }: { kind: string; reason: string | null }): string {
  return reason === null ? term(kind) : `${term(kind)} (${term(reason)})`;
}

function PartEffects({ part }: { part: components.AmendmentPreview["parts"][number] }) {
  return (
    <div class="stack">
      <h3>{part.name}</h3>
      <ul>
        {part.effects.map(({ before, after, contacts_in_all: contacts, until, samples }) => (
          <li key={`${fate(before)}${fate(after)}`}>
            {say.effect(fate(before), fate(after), count(contacts))}{" "}
            {until && (
              <>
                <Proof at={until.first} /> – <Proof at={until.last} />
              </>
            )}{" "}
            <span class="quiet small">{samples.join(", ")}</span>
          </li>
        ))}
        {part.stopped.map(({ reason, batches, calls }) => (
          <li key={reason}>{say.stops(batches, calls, reason)}</li>
        ))}
      </ul>
      <p class="small quiet">{say.effectAsked(part.asked, part.open)}</p>
    </div>
  );
}
