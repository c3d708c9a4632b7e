import { stringify } from "yaml";

import { useRead } from "../../api/client.ts";
import { useFirstBrand } from "../../parts/use-first-brand.ts";
import { Page } from "../../parts/page.tsx";
import type { Params } from "../../parts/params.ts";
import { Load } from "../../parts/state.tsx";
import { words } from "../../words.ts";
import { firstSequence } from "./editor/first-sequence.ts";
import { Editor } from "./editor/editor.tsx";

const say = words.sequence;

/** Another version of a sequence; who is in it goes on under theirs. */
export function EditSequencePage({ params }: { params: Params }) {
  const ref = params["ref"] ?? "";
  const sequence = useRead("readSequence", { path: { ref } });
  return (
    <Page title={sequence.data ? say.editOf(sequence.data.name) : words.states.loading}>
      <Load of={sequence}>
        {({ id, name, version, definition }) => (
          <Editor first={stringify(definition)} base={{ id, name, version }} />
        )}
      </Load>
    </Page>
  );
}

export function NewSequencePage() {
  const brand = useFirstBrand();
  return (
    <Page title={say.fresh}>
      <Editor first={firstSequence(brand)} base={undefined} />
    </Page>
  );
}
