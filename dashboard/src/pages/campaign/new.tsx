import { useMutation } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import type { Client, components } from "outdial/api";

import { useAct, useClient } from "../../api/client.ts";
import { count } from "../../format.ts";
import { Figures } from "../../parts/figures.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Failure } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { words } from "../../words.ts";

const say = words.fresh;

interface Plan {
  name: string;
  brand: string;
  agent: string;
  numbers: string;
  concurrency: number;
  region: string;
  days: "weekdays" | "every_day";
  from: string;
  to: string;
  attempts: number;
  canary: number;
}

const FIRST: Plan = {
  name: "",
  brand: "default",
  agent: "",
  numbers: "",
  concurrency: 10,
  region: "",
  days: "weekdays",
  from: "09:00",
  to: "18:00",
  attempts: 3,
  canary: 0,
};

function specOf(plan: Plan): components.CampaignSpec {
  const hours = [`${plan.from}-${plan.to}`];
  return {
    name: plan.name.trim(),
    brand: plan.brand.trim() || "default",
    agent_id: plan.agent.trim(),
    from_numbers: plan.numbers.split(/[\s,;]+/).filter((number) => number !== ""),
    concurrency: plan.concurrency,
    ...(plan.region !== "" && { default_region: plan.region.toUpperCase() }),
    window: plan.days === "weekdays" ? { weekdays: hours } : { weekdays: hours, weekend: hours },
    retry: { max_attempts: plan.attempts },
    ...(plan.canary > 0 && { canary: plan.canary }),
  };
}

const PROBLEMS = 50;

/** From a file to a campaign that waits for its start: nothing of it calls anybody. */
export function NewCampaignPage() {
  const client = useClient();
  const [, go] = useLocation();
  const [file, setFile] = useState<File>();
  const [plan, setPlan] = useState(FIRST);
  const made = useRef<{ id: string; plan: Plan } | undefined>(undefined);
  const check = useMutation({
    mutationFn: async (list: File) => {
      await requireReadable(list);
      return client.validateContacts({
        query: { source_name: list.name, spec: JSON.stringify(specOf(plan)), problems: PROBLEMS },
        body: list,
      });
    },
  });
  const create = useAct(async (by, { list, digest }: { list: File; digest: string }) =>
    createWith(by, { plan, list, digest, made }),
  );
  const change = (part: Partial<Plan>) => {
    setPlan((before) => ({ ...before, ...part }));
    check.reset();
  };
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    check.reset();
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
        </Section>
        <Section title={say.plan}>
          <PlanFields plan={plan} change={change} />
        </Section>
        <p>
          <button type="submit" class="main-action" aria-disabled={!file || check.isPending}>
            {check.isPending ? words.dialog.busy : say.check}
          </button>
        </p>
        {check.error && <Failure error={check.error} />}
      </form>
      {check.data && file && (
        <Section title={say.checked}>
          <Checked found={check.data} />
          {check.data.stopped === null && check.data.digest !== null && check.data.rows.ok > 0 && (
            <div class="stack">
              <p class="quiet">{say.createMeans}</p>
              <p>
                <button
                  type="button"
                  class="main-action"
                  aria-disabled={create.isPending}
                  onClick={() => {
                    const { digest } = check.data;
                    if (create.isPending || digest === null) return;
                    create.mutate({ list: file, digest }, { onSuccess: (id) => go(`/campaigns/${id}`) });
                  }}
                >
                  {create.isPending ? say.creating : say.create}
                </button>
              </p>
              {create.error && <Failure error={create.error} />}
            </div>
          )}
          <p class="small quiet">{say.again}</p>
        </Section>
      )}
    </Page>
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
  /** The campaign that an earlier try has made, under the same plan. */
  made: { current: { id: string; plan: Plan } | undefined };
}

async function createWith(client: Client, { plan, list, digest, made }: Creating): Promise<string> {
  await requireReadable(list);
  if (made.current?.plan !== plan) {
    const { id } = await client.createCampaign({ body: { spec: specOf(plan) } });
    made.current = { id, plan };
  }
  const { id } = made.current;
  await client.uploadContacts({ path: { ref: id }, query: { digest, source_name: list.name }, body: list });
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

function PlanFields({ plan, change }: { plan: Plan; change: (part: Partial<Plan>) => void }) {
  const text = (
    key: "name" | "brand" | "agent" | "region" | "from" | "to",
    label: string,
    more: object = {},
  ) => (
    <label>
      {label}
      <input
        value={plan[key]}
        onInput={({ currentTarget }) => change({ [key]: currentTarget.value })}
        {...more}
      />
    </label>
  );
  const number = (key: "concurrency" | "attempts" | "canary", label: string, min: number, hint?: string) => (
    <label>
      {label}
      <input
        type="number"
        min={min}
        required
        value={plan[key]}
        onInput={({ currentTarget }) => change({ [key]: currentTarget.valueAsNumber })}
      />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
  return (
    <div class="columns">
      <div class="stack">
        {text("name", say.name, { required: true })}
        {text("brand", say.brand, { required: true })}
        {text("agent", say.agent, { required: true })}
        <label>
          {say.numbers}
          <textarea
            required
            value={plan.numbers}
            onInput={({ currentTarget }) => change({ numbers: currentTarget.value })}
          />
        </label>
      </div>
      <div class="stack">
        {number("concurrency", say.concurrency, 1)}
        {number("attempts", say.attempts, 1)}
        {number("canary", say.canary, 0, say.canaryHint)}
        {text("region", say.region, { maxLength: 2, pattern: "[A-Za-z]{2}", placeholder: "DE" })}
      </div>
      <fieldset>
        <legend>{say.hours}</legend>
        <label>
          {say.days}
          <select
            value={plan.days}
            onChange={({ currentTarget }) =>
              change({ days: currentTarget.value === "weekdays" ? "weekdays" : "every_day" })
            }
          >
            <option value="weekdays">{say.weekdays}</option>
            <option value="every_day">{say.everyDay}</option>
          </select>
        </label>
        {text("from", say.from, { type: "time", required: true })}
        {text("to", say.to, { type: "time", required: true })}
      </fieldset>
    </div>
  );
}

function Checked({ found }: { found: components.Validation }) {
  const {
    rows,
    problems,
    never_dialed: never,
    layout,
    zone_sets: zones,
    stopped,
    warnings,
    suppressed,
  } = found;
  return (
    <>
      <Figures
        of={[
          { name: say.rows.ok, value: count(rows.ok) },
          { name: say.rows.rejected, value: count(rows.rejected) },
          { name: say.rows.duplicate, value: count(rows.duplicate) },
          { name: say.rows.suppressed, value: count(suppressed.contacts) },
        ]}
      />
      {stopped && (
        <p class="note bad" role="alert">
          {stopped.message}
        </p>
      )}
      {warnings.map((warning) => (
        <p class="note warn" key={warning}>
          {warning}
        </p>
      ))}
      {problems.length > 0 && (
        <>
          <Table
            caption={say.problems}
            rows={problems}
            keyOf={({ line }) => line}
            columns={[
              { name: say.line, heads: true, cell: ({ line }) => count(line) },
              { name: say.why, cell: ({ reason }) => reason },
              { name: say.row, cell: ({ raw }) => <code>{raw}</code> },
            ]}
          />
          {rows.rejected > problems.length && (
            <p class="small quiet">{say.moreProblems(problems.length, rows.rejected)}</p>
          )}
        </>
      )}
      <h3>{say.never}</h3>
      {never.length === 0 ? (
        <p class="quiet">{say.neverNone}</p>
      ) : (
        <ul>
          {never.map(({ contacts, why, remedy }) => (
            <li key={why}>
              {count(contacts)}: {why} <span class="quiet">{remedy}</span>
            </li>
          ))}
        </ul>
      )}
      {layout.columns && (
        <Table
          caption={say.columns}
          rows={layout.columns}
          keyOf={({ name }) => name}
          columns={[
            { name: say.column, heads: true, cell: ({ name }) => <code>{name}</code> },
            {
              name: say.role,
              cell: ({ role }) => (role in say.roles ? say.roles[role as keyof typeof say.roles] : role),
            },
          ]}
        />
      )}
      <details>
        <summary>{say.zones}</summary>
        <ul>
          {zones.map(({ zones: set, contacts }) => (
            <li key={set.join()}>{say.inZones(contacts, set)}</li>
          ))}
        </ul>
      </details>
    </>
  );
}
