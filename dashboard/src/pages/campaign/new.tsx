import { useMutation, useQuery, type UseMutationResult } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import type { AnswerOf, Client } from "outdial/api";

import { useAct, useClient } from "../../api/client.ts";
import { OWN_ZONE } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { useFirstBrand } from "../../parts/use-first-brand.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Failure } from "../../parts/state.tsx";
import { words } from "../../words.ts";
import { Checked } from "./fresh/checked.tsx";
import { Columns, mapOf, type Said } from "./fresh/columns.tsx";
import { headOf } from "./fresh/list-file.ts";
import { firstPlan, PlanFields, specOf, type Plan } from "./fresh/plan.tsx";
import { Rehearsed } from "./fresh/rehearsal.tsx";

const say = words.fresh;

const PROBLEMS = 50;

/** From a file to a campaign: nothing of it calls anybody before somebody says so at its end. */
export function NewCampaignPage() {
  const client = useClient();
  const [file, setFile] = useState<File>();
  const brand = useFirstBrand();
  const [plan, setPlan] = useState(() => firstPlan(brand));
  const [said, setSaid] = useState<Said>({});
  const head = useQuery({
    queryKey: ["head of the list", file?.name, file?.size, file?.lastModified],
    queryFn: async () => (file && (await headOf(file))) ?? null,
    enabled: file !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const query = (list: File) => ({
    source_name: list.name,
    map: mapOf(said),
    spec: JSON.stringify(specOf(plan)),
  });
  const check = useMutation({
    mutationFn: async (list: File) => {
      await requireReadable(list);
      return client.validateContacts({ query: { ...query(list), problems: PROBLEMS }, body: list });
    },
  });
  const rehearse = useMutation({
    mutationFn: async (list: File) => {
      await requireReadable(list);
      return client.rehearseCampaign({ query: { ...query(list), time_zone: OWN_ZONE }, body: list });
    },
  });
  // What was looked at is not what stands there now.
  const forget = () => {
    check.reset();
    rehearse.reset();
  };
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    setSaid({});
    forget();
  };
  const mend = (list: File) => {
    setFile(list);
    rehearse.reset();
    check.mutate(list);
  };
  return (
    <Page title={say.title}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (file && !check.isPending) check.mutate(file);
        }}
      >
        <Section title={say.list}>
          <Drop file={file} choose={choose} />
          {head.data && (
            <Columns
              head={head.data}
              found={check.data?.layout.columns}
              said={said}
              change={(changed) => {
                setSaid(changed);
                forget();
              }}
            />
          )}
        </Section>
        <Section title={say.plan}>
          <PlanFields
            plan={plan}
            change={(part) => {
              setPlan((before) => ({ ...before, ...part }));
              forget();
            }}
          />
        </Section>
        <p>
          <button type="submit" class="main-action" aria-disabled={!file || check.isPending}>
            {check.isPending ? words.dialog.busy : say.check}
          </button>
        </p>
        {check.error && <Failure error={check.error} />}
      </form>
      {check.data && file && (
        <>
          <Section title={say.checked}>
            <Checked file={file} found={check.data} mend={mend} />
            <p class="small quiet">{say.again}</p>
          </Section>
          {check.data.stopped === null && check.data.digest !== null && check.data.rows.ok > 0 && (
            <Ready list={file} digest={check.data.digest} plan={plan} said={said} rehearse={rehearse} />
          )}
        </>
      )}
    </Page>
  );
}

interface ReadyProps {
  list: File;
  digest: string;
  plan: Plan;
  said: Said;
  rehearse: UseMutationResult<AnswerOf<"rehearseCampaign">, Error, File>;
}

/** The list is good: what the campaign would do with it, and the way on. */
function Ready({ list, digest, plan, said, rehearse }: ReadyProps) {
  const [, go] = useLocation();
  const made = useRef<{ id: string; plan: Plan } | undefined>(undefined);
  const create = useAct(async (by, starts: boolean) => {
    const id = await createWith(by, { plan, list, digest, map: mapOf(said), made });
    if (starts) await by.startCampaign({ path: { ref: id }, body: {} });
    return id;
  });
  const on = { onSuccess: (id: string) => go(`/campaigns/${id}`) };
  return (
    <Section title={words.rehearsal.title}>
      <p class="quiet">{words.rehearsal.what}</p>
      <p>
        <button
          type="button"
          aria-disabled={rehearse.isPending}
          onClick={() => {
            if (!rehearse.isPending) rehearse.mutate(list);
          }}
        >
          {rehearse.isPending ? words.rehearsal.busy : words.rehearsal.does}
        </button>
      </p>
      {rehearse.error && <Failure error={rehearse.error} />}
      {rehearse.data && <Rehearsed found={rehearse.data} />}
      <p class="quiet">{say.createMeans}</p>
      <p class="row">
        <button
          type="button"
          class="main-action"
          aria-disabled={create.isPending}
          onClick={() => {
            if (!create.isPending) create.mutate(false, on);
          }}
        >
          {create.isPending ? say.creating : say.create}
        </button>
        <Ask
          label={say.createStart}
          title={words.campaign.startTitle(plan.name)}
          does={say.createStart}
          act={async () => create.mutateAsync(true, on)}
        >
          <p>{say.startMeans}</p>
        </Ask>
      </p>
      {create.error && <Failure error={create.error} />}
    </Section>
  );
}

/** @throws Error where the file was changed or moved since it was chosen: browsers send no other one under its name */
async function requireReadable(list: File): Promise<void> {
  await list
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Error(say.fileChanged(list.name));
    });
}

/** A list that was cut off is taken in whole by doing the same again: it is the same by its digest. */
interface Creating {
  plan: Plan;
  list: File;
  digest: string;
  map: string;
  /** The campaign that an earlier try has made, under the same plan. */
  made: { current: { id: string; plan: Plan } | undefined };
}

async function createWith(client: Client, { plan, list, digest, map, made }: Creating): Promise<string> {
  await requireReadable(list);
  if (made.current?.plan !== plan) {
    const { id } = await client.createCampaign({ body: { spec: specOf(plan) } });
    made.current = { id, plan };
  }
  const { id } = made.current;
  await client.uploadContacts({
    path: { ref: id },
    query: { digest, source_name: list.name, map },
    body: list,
  });
  return id;
}

function Drop({ file, choose }: { file: File | undefined; choose: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false);
  return (
    <div
      class="drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer?.files[0]);
      }}
    >
      <p>{file ? say.chosen(file.name, file.size) : say.drop}</p>
      <label>
        {say.choose}
        <input
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl"
          // The same file, mended, is another choice.
          onClick={({ currentTarget }) => {
            currentTarget.value = "";
          }}
          onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
        />
      </label>
    </div>
  );
}
