import { Link } from "wouter-preact";

import { Page } from "../../parts/page.tsx";
import type { Params } from "../../parts/params.ts";
import { words } from "../../words.ts";
import { trying } from "../../words/trying.ts";
import { CallRules } from "./call-rules.tsx";
import { TriggerRules } from "./trigger-rules.tsx";

const PARTS = [
  ["calls", "/rules", trying.ofCalls],
  ["triggers", "/rules/triggers", trying.ofTriggers],
] as const;

/** Rules tried on what was: calls that were made, and messages that came in. */
export function RulesPage({ params }: { params: Params }) {
  const part = params["part"] === "triggers" ? "triggers" : "calls";
  return (
    <Page title={words.pages.rules}>
      <nav class="tabs" aria-label={trying.parts}>
        <ul>
          {PARTS.map(([name, path, says]) => (
            <li key={name}>
              <Link href={path} aria-current={name === part ? "page" : undefined}>
                {says}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <p class="quiet">{trying.means}</p>
      {part === "triggers" ? <TriggerRules /> : <CallRules />}
    </Page>
  );
}
