import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { stringify } from "yaml";
import type { components } from "outdial/api";

import { useAct, useClient } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Meanwhile } from "../../parts/meanwhile.tsx";
import { Section } from "../../parts/page.tsx";
import { Failure } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Proof } from "../../parts/when.tsx";
import { useYaml, YamlEditor } from "../../parts/yaml-editor.tsx";
import { words } from "../../words.ts";
import type { PartProps } from "./part.ts";

const say = words.campaign;

/** What somebody writes, and of which version it was begun. */
interface Draft {
  text: string;
  version: number;
}

/**
 * Its document; changed, looked at by what it would do, and put in force over the version that was read, and no other.
 * Until something is written it is the newest.
 */
export function AmendPart({ campaign }: PartProps) {
  const may = useMay("amendCampaign");
  const client = useClient();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>();
  const { policy_version: newest } = campaign;
  const theirs = stringify(campaign.spec);
  const { text, version } = draft ?? { text: theirs, version: newest };
  const reading = useYaml(text);
  const spec = reading.value as components.CampaignSpec | undefined;
  const path = { ref: campaign.id };
  const preview = useMutation({
    mutationFn: async (spec: components.CampaignSpec) => client.previewAmendment({ path, body: { spec } }),
    // It was looked at against what is there now: another version than that which is shown has to be seen.
    onSuccess: async (found) => {
      if (found.policy_version !== newest) await queries.invalidateQueries({ queryKey: ["readCampaign"] });
    },
  });
  const isOver = campaign.state === "completed" || campaign.state === "cancelled";
  const begin = (begun: Draft | undefined) => {
    setDraft(begun);
    // What was looked at is not what stands there now.
    preview.reset();
  };
  const isBehind = version < newest;
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
          change={(changed) => begin({ text: changed, version })}
        />
        {isBehind && !isOver && (
          <Meanwhile
            said={say.amendedMeanwhile(newest, version)}
            theirs={theirs}
            take={() => begin(undefined)}
            keep={() => begin({ text, version: newest })}
            keepMine={say.keepMine}
            keepMineMeans={say.keepMineMeans}
          />
        )}
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
      {preview.data && spec && !isBehind && (
        <Effects
          campaign={campaign}
          found={preview.data}
          spec={spec}
          version={version}
          amended={(by) => setDraft({ text, version: by })}
          done={() => begin(undefined)}
        />
      )}
    </>
  );
}

interface EffectsProps extends PartProps {
  found: components.AmendmentPreview;
  spec: components.CampaignSpec;
  /** Of the document that was read. */
  version: number;
  /** It is this version from now on, which the page may not have read yet. */
  amended: (version: number) => void;
  done: () => void;
}

function Effects({ campaign, found, spec, version, amended, done }: EffectsProps) {
  const amend = useAct(async (client, reason: string | undefined) => {
    const { policy_version: now } = await client.amendCampaign({
      path: { ref: campaign.id },
      body: { spec, reason, if_version: version },
    });
    amended(now);
  });
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
          act={async (reason) => {
            await amend.mutateAsync(reason);
            done();
          }}
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
