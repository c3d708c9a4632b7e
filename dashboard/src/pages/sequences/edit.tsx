import { useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { stringify } from "yaml";
import type { components } from "outdial/api";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { Page, Section } from "../../parts/page.tsx";
import type { Params } from "../../parts/params.ts";
import { Failure, Load } from "../../parts/state.tsx";
import { useYaml, YamlEditor } from "../../parts/yaml-editor.tsx";
import { words } from "../../words.ts";

const say = words.sequence;

const FIRST = `name: welcome
agent_id: ""
from_numbers: [""]
steps:
  - id: call
    call: {}
    on: { answered: done, unknown: done, otherwise: later }
  - id: later
    wait: { for: 1d }
    next: call
  - id: done
    exit: { outcome: reached }
`;

/** Another version of a sequence; who is in it goes on under theirs. */
export function EditSequencePage({ params }: { params: Params }) {
  const ref = params["ref"] ?? "";
  const sequence = useRead("readSequence", { path: { ref } });
  return (
    <Page title={sequence.data ? say.editOf(sequence.data.name) : words.states.loading}>
      <Load of={sequence}>{(found) => <Editor first={stringify(found.definition)} />}</Load>
    </Page>
  );
}

export function NewSequencePage() {
  return (
    <Page title={say.fresh}>
      <Editor first={FIRST} />
    </Page>
  );
}

function Editor({ first }: { first: string }) {
  const may = useMay("operator");
  const [, go] = useLocation();
  const [text, setText] = useState(first);
  const reading = useYaml(text);
  const put = useAct((by, definition: components.SequenceDefinition) =>
    by.putSequence({ body: { definition } }),
  );
  const change = (changed: string) => {
    setText(changed);
    put.reset();
  };
  const isReadable = reading.value !== undefined;
  return (
    <Section title={say.document}>
      <YamlEditor
        label={say.document}
        hint={say.documentHint}
        text={text}
        reading={reading}
        refused={put.error}
        readOnly={!may}
        change={change}
      />
      {put.error && <Failure error={put.error} />}
      {put.data?.warnings.map((warning) => (
        <p class="note warn" key={warning}>
          {warning}
        </p>
      ))}
      {put.data && (
        <p class="note good" role="status">
          {say.put[put.data.result](put.data.version)}{" "}
          <Link href={`/sequences/${put.data.id}`}>{put.data.name}</Link>
        </p>
      )}
      {may && (
        <p class="row">
          <button
            type="button"
            class="main-action"
            aria-disabled={!isReadable || put.isPending}
            onClick={() => {
              if (isReadable && !put.isPending) put.mutate(reading.value as components.SequenceDefinition);
            }}
          >
            {put.isPending ? words.dialog.busy : say.putDoes}
          </button>
          <button type="button" onClick={() => go("/sequences")}>
            {words.dialog.back}
          </button>
        </p>
      )}
    </Section>
  );
}
