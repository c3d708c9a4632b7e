import { words } from "../words.ts";

const say = words.meanwhile;

interface MeanwhileProps {
  /** What somebody else did since this was read, in a sentence. */
  said: string;
  /** Who did it, and when, where that is known. */
  by?: string | undefined;
  /** The document as it is now. */
  theirs: string;
  take: () => void;
  keep: () => void;
  /** What the button that keeps one's own says, and what follows from it. */
  keepMine: string;
  keepMineMeans: string;
}

/** Somebody else changed a document since it was read: what it says now, and which of both is to be. */
export function Meanwhile({ said, by, theirs, take, keep, keepMine, keepMineMeans }: MeanwhileProps) {
  return (
    <div class="note warn" role="alert">
      <p>
        <strong>{said}</strong> {by}
      </p>
      <details>
        <summary>{say.theirs}</summary>
        <pre tabIndex={0} aria-label={say.theirs}>
          {theirs}
        </pre>
      </details>
      <p class="row">
        <button type="button" onClick={take}>
          {say.takeTheirs}
        </button>
        <button type="button" class="danger" onClick={keep}>
          {keepMine}
        </button>
        <span class="small">{keepMineMeans}</span>
      </p>
    </div>
  );
}
