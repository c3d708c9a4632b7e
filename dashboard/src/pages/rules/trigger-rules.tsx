import { useMutation } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import type { components } from "outdial/api";
import { stringify } from "yaml";

import { useClient, useRead } from "../../api/client.ts";
import { moment, term } from "../../format.ts";
import { Choice } from "../../parts/choice.tsx";
import { Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Failure, Load } from "../../parts/state.tsx";
import { useYaml, YamlEditor } from "../../parts/yaml-editor.tsx";
import { words } from "../../words.ts";
import { trying as say } from "../../words/trying.ts";

/** A trigger, changed and tried on what came in, or on anything else. */
export function TriggerRules() {
  const [name, setName] = useState("");
  const triggers = useRead("listTriggers", {});
  const chosen = useRead("readTrigger", { path: { name } }, { enabled: name !== "" });
  return (
    <>
      <Section title={say.trigger}>
        <Load of={triggers} empty={{ when: ({ items }) => items.length === 0, say: words.triggers.none }}>
          {({ items }) => (
            <label>
              <span class="visually-hidden">{say.trigger}</span>
              <select value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
                <option value="">{say.choose}</option>
                {items.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.name}
                  </option>
                ))}
              </select>
            </label>
          )}
        </Load>
      </Section>
      {name !== "" && (
        <Load of={chosen}>
          {({ name: of, definition }) => <Trying key={of} name={of} stored={definition} />}
        </Load>
      )}
    </>
  );
}

interface Sent {
  type: "json" | "form";
  body: string;
  headers: string;
}

const NOTHING: Sent = { type: "json", body: "{}", headers: "" };

function Trying({ name, stored }: { name: string; stored: Readonly<Record<string, unknown>> }) {
  const client = useClient();
  const [text, setText] = useState(() => stringify(stored));
  const [sent, setSent] = useState(NOTHING);
  const reading = useYaml(text);
  const attempt = useMutation({
    mutationFn: async ({ type, body, headers }: Sent) =>
      client.tryTrigger({
        path: { name },
        body: { body, type, headers: headersIn(headers), definition: reading.value },
      }),
  });
  const change = (part: Partial<Sent>) => {
    setSent((before) => ({ ...before, ...part }));
    attempt.reset();
  };
  const isReadable = reading.value !== undefined;
  return (
    <>
      <div class="columns">
        <Section title={say.definition}>
          <YamlEditor
            label={say.definition}
            hint={say.definitionHint}
            text={text}
            reading={reading}
            refused={attempt.error}
            change={(changed) => {
              setText(changed);
              attempt.reset();
            }}
          />
        </Section>
        <Section title={say.body} aside={<Stored name={name} take={change} />}>
          <SentFields sent={sent} change={change} />
        </Section>
      </div>
      <p>
        <button
          type="button"
          class="main-action"
          aria-disabled={!isReadable || attempt.isPending}
          onClick={() => isReadable && !attempt.isPending && attempt.mutate(sent)}
        >
          {attempt.isPending ? words.dialog.busy : say.try}
        </button>
      </p>
      {attempt.error && <Failure error={attempt.error} />}
      {attempt.data && <Results found={attempt.data} />}
    </>
  );
}

function SentFields({ sent, change }: { sent: Sent; change: (part: Partial<Sent>) => void }) {
  return (
    <div class="stack">
      <Choice
        label={say.type}
        options={[
          ["json", "JSON"],
          ["form", "form"],
        ]}
        value={sent.type}
        choose={(type) => change({ type })}
      />
      <label>
        <span class="visually-hidden">{say.body}</span>
        <textarea
          class="code small"
          spellcheck={false}
          value={sent.body}
          onInput={({ currentTarget }) => change({ body: currentTarget.value })}
        />
      </label>
      <label>
        {say.headers}
        <textarea
          rows={2}
          spellcheck={false}
          value={sent.headers}
          onInput={({ currentTarget }) => change({ headers: currentTarget.value })}
        />
        <small>{say.headersHint}</small>
      </label>
    </div>
  );
}

/** So many of the newest are chosen from. */
const MOST_DELIVERIES = 50;

/** What came in through it once, to be tried again. */
function Stored({ name, take }: { name: string; take: (part: Partial<Sent>) => void }) {
  const [id, setId] = useState("");
  const deliveries = useRead("listDeliveries", { path: { name }, query: { limit: MOST_DELIVERIES } });
  const delivery = useRead("readDelivery", { path: { id } }, { enabled: id !== "" });
  const { data } = delivery;
  // Once for each that is chosen: what is then changed by hand stays.
  useEffect(() => {
    if (data?.body) {
      const { type, text: body, headers } = data.body;
      const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
      take({ type, body, headers: lines.join("\n") });
    }
  }, [data?.id]);
  return (
    <>
      <label class="inline">
        {say.delivery}
        <select value={id} onChange={({ currentTarget }) => setId(currentTarget.value)}>
          <option value="">{say.deliveryNone}</option>
          {deliveries.data?.items.map((one) => (
            <option key={one.id} value={one.id}>
              {`${moment(one.received_at)} · ${term(one.state)}`}
            </option>
          ))}
        </select>
      </label>
      {deliveries.error && <Failure error={deliveries.error} />}
      {delivery.error && <Failure error={delivery.error} />}
      {data?.body === null && <p class="quiet">{words.triggers.bodyGone}</p>}
    </>
  );
}

function headersIn(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(
    lines.map((line) => {
      const [, header = "", value = ""] = /^([^:]*):(.*)$/s.exec(line) ?? [];
      return [header.trim(), value.trim()];
    }),
  );
}

function Results({ found }: { found: components.TriggerTried }) {
  return (
    <Section title={say.results}>
      {found.warnings.map((warning) => (
        <p class="note warn" key={warning}>
          {warning}
        </p>
      ))}
      {found.items.length === 0 && <p class="quiet">{say.none}</p>}
      <ol class="walk">
        {found.items.map((item, index) => (
          <li key={index}>
            <Result item={item} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Result({ item }: { item: components.TriggerTried["items"][number] }) {
  switch (item.kind) {
    case "ignored":
      return <Pill state={say.ignored} />;
    case "problem":
      return (
        <p class="note bad">
          <code>{item.field}</code> {item.problem}
        </p>
      );
    case "wanted":
      return (
        <div class="stack">
          <p class="row">
            <Pill state={say.wanted} tone={item.ok ? "good" : "bad"} />
            {item.idempotency_key !== undefined && (
              <span class="small quiet">{say.key(item.idempotency_key)}</span>
            )}
          </p>
          <pre tabIndex={0} aria-label={say.results}>
            {item.wanted.map((one) => stringify(one)).join("---\n")}
          </pre>
        </div>
      );
  }
}
