import { useMutation } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { Client, components } from "outdial/api";
import { parse, stringify } from "yaml";

import { useClient, useRead } from "../../api/client.ts";
import { count } from "../../format.ts";
import { Figures } from "../../parts/figures.tsx";
import { Section } from "../../parts/page.tsx";
import { Failure, Load } from "../../parts/state.tsx";
import { useYaml, YamlEditor } from "../../parts/yaml-editor.tsx";
import { words } from "../../words.ts";
import { trying as say } from "../../words/trying.ts";
import { CallResults, ofAll, type Tried } from "./call-results.tsx";

type Call = NonNullable<Parameters<Client["testRules"]>[0]["body"]["calls"]>[number];

/** So many are chosen from; older ones are told by their page. */
const MOST_CAMPAIGNS = 200;

/** A campaign's rules, changed and tried on its calls. */
export function CallRules() {
  const [ref, setRef] = useState("");
  const campaigns = useRead("listCampaigns", { query: { limit: MOST_CAMPAIGNS, standing: true } });
  const chosen = useRead("readCampaign", { path: { ref } }, { enabled: ref !== "" });
  return (
    <>
      <Section title={say.campaign}>
        <Load of={campaigns} empty={{ when: ({ items }) => items.length === 0, say: words.overview.none }}>
          {({ items }) => (
            <label>
              <span class="visually-hidden">{say.campaign}</span>
              <select value={ref} onChange={({ currentTarget }) => setRef(currentTarget.value)}>
                <option value="">{say.choose}</option>
                {items.map(({ id, name, run, brand }) => (
                  <option key={id} value={id}>
                    {[name, words.campaign.run(run), brand === "default" ? "" : brand]
                      .filter((part) => part !== "")
                      .join(" · ")}
                  </option>
                ))}
              </select>
            </label>
          )}
        </Load>
      </Section>
      {ref !== "" && (
        <Load of={chosen}>{(campaign) => <Trying key={campaign.id} campaign={campaign} />}</Load>
      )}
    </>
  );
}

interface Asked {
  definition: components.CampaignSpec;
  /** Of one's own; none: the campaign's. */
  calls: readonly Call[];
  /** Behind which contact it goes on; 0: from the beginning. */
  after: number;
}

function Trying({ campaign }: { campaign: components.Campaign }) {
  const client = useClient();
  const [text, setText] = useState(() => stringify(campaign.spec));
  const [own, setOwn] = useState("");
  const [tried, setTried] = useState<Tried>();
  const reading = useYaml(text);
  const definition = reading.value as components.CampaignSpec | undefined;
  const test = useMutation({
    mutationFn: async ({ definition: rules, calls, after }: Asked) =>
      client.testRules({
        body:
          calls.length > 0
            ? { definition: rules, against: campaign.spec, calls: [...calls] }
            : { definition: rules, campaign: campaign.id, after },
      }),
    onSuccess: (page, { after }) => setTried((before) => ofAll(after === 0 ? undefined : before, page)),
  });
  const forget = () => {
    setTried(undefined);
    test.reset();
  };
  const calls = callsIn(own);
  const mayTry = definition !== undefined && calls !== undefined && !test.isPending;
  const ask = (after: number) => {
    if (mayTry) test.mutate({ definition, calls, after });
  };
  return (
    <>
      <Section title={say.document} aside={<Link href={`/campaigns/${campaign.id}/amend`}>{say.amend}</Link>}>
        <YamlEditor
          label={say.document}
          hint={say.documentHint}
          text={text}
          reading={reading}
          refused={test.error}
          change={(changed) => {
            setText(changed);
            forget();
          }}
        />
        <details>
          <summary>{say.own}</summary>
          <label>
            <span class="visually-hidden">{say.own}</span>
            <textarea
              class="code small"
              spellcheck={false}
              value={own}
              onInput={({ currentTarget }) => {
                setOwn(currentTarget.value);
                forget();
              }}
            />
            <small>{say.ownHint}</small>
          </label>
          {calls === undefined && (
            <p class="note bad" role="alert">
              {say.ownNone}
            </p>
          )}
        </details>
        <p>
          <button type="button" class="main-action" aria-disabled={!mayTry} onClick={() => ask(0)}>
            {test.isPending ? words.dialog.busy : calls && calls.length > 0 ? say.doesOwn : say.does}
          </button>
        </p>
        {test.error && <Failure error={test.error} />}
      </Section>
      {tried && (
        <CallResults
          tried={tried}
          figures={<Summary tried={tried} />}
          more={
            tried.nextAfter === null ? (
              <p class="quiet">{tried.items.length === 0 ? say.noCalls : say.all}</p>
            ) : (
              <p>
                <button type="button" aria-disabled={!mayTry} onClick={() => ask(tried.nextAfter ?? 0)}>
                  {test.isPending ? words.dialog.busy : say.more}
                </button>
              </p>
            )
          }
        />
      )}
    </>
  );
}

function Summary({ tried }: { tried: Tried }) {
  const { items, unreadable } = tried;
  return (
    <Figures
      of={[
        { name: say.figures.calls, value: count(items.length) },
        {
          name: say.figures.changed,
          value: count(items.filter(({ differs }) => differs.length > 0).length),
        },
        {
          name: say.figures.undecided,
          value: count(items.filter(({ disposition }) => disposition === null).length),
        },
        { name: say.figures.unreadable, value: count(unreadable.length) },
      ]}
    />
  );
}

/** Undefined: what is written there is something else. */
function callsIn(text: string): readonly Call[] | undefined {
  if (text.trim() === "") return [];
  try {
    const value: unknown = parse(text);
    const calls: readonly unknown[] = Array.isArray(value) ? value : [value];
    return calls.every(isCall) ? calls : undefined;
  } catch {
    // It is half written.
    return undefined;
  }
}

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "call_id") === "string";
}
