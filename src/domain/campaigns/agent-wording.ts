/*
 * What a published agent is set up to say, read for what laws on automated calls ask for: that it is no person, for
 * whom it calls, and how to be called no more. Words are looked for in four languages. That some are there proves
 * nothing, and that none is found is told and never refused: there are as many ways to say it as there are agents.
 */

/** An agent as the platform shows it: its own fields, and snapshots of its versions. */
export interface ShownAgent {
  published_version?: number | null | undefined;
  greeting_message?: unknown;
  system_prompt?: unknown;
  agent_mode?: unknown;
  versions?: readonly unknown[] | undefined;
}

/** What callers have to be told, by what says it. Word edges are those of any alphabet. */
const AUTOMATED = wording(
  // English
  "AI|A\\.I\\.|artificial intelligence|automated|virtual (?:assistant|agent|caller)|digital (?:assistant|agent)|voice ?bot|chat ?bot|robot|computer(?:-generated)? (?:voice|assistant)",
  // German
  "KI|K\\.I\\.|k[üu]nstliche[rn]? Intelligenz|automatisiert\\w*|automatische[rns]? Anruf\\w*|(?:digitale|virtuelle)[rn]? (?:Assistent|Agent|Assistenz)\\w*|Sprach(?:assistent|bot|computer)\\w*",
  // French
  "IA|intelligence artificielle|automatis\\w*|appel automatique|(?:assistante?|agente?) (?:virtuel|vocal|num[ée]rique)\\w*",
  // Spanish
  "inteligencia artificial|automatizad\\w*|llamada autom[áa]tica|(?:asistente|agente) (?:virtual|digital|de voz)",
);
const CALLER = wording(
  "(?:calling|call|assistant|agent) (?:from|for|of|with|on behalf of|at)|on behalf of|(?:I am|I'm|this is|my name is)[^.?!]{1,80}?(?:from|with|of|at)",
  "im Auftrag|im Namen|(?:hier (?:ist|spricht)|mein Name ist|ich bin|ich rufe|Assistent\\w*)[^.?!]{1,80}?(?:von|vom|bei|f[üu]r)",
  "de la part d[e']|au nom d[e']|pour le compte d[e']|(?:ici|je suis|je m'appelle|je vous appelle|assistante?)[^.?!]{1,80}?(?:de|du|d'|chez|pour)",
  "de parte de|en nombre de|(?:soy|le habla|le llamo|llamo|me llamo|asistente)[^.?!]{1,80}?(?:de|del|desde)",
);
const OPT_OUT = wording(
  "opt(?:s|ed|ing)?[ -]?out|(?:do[ -]?not|don't|never|stop|no longer|not be|not to be)(?: \\w+){0,2} call\\w*|do[ -]not[ -]call|unsubscribe\\w*|(?:remove|take|delete)\\w*[^.?!]{1,60}?\\blists?",
  "nicht (?:mehr|wieder) (?:an(?:ge|zu)?ruf\\w*|kontaktier\\w*)|kein\\w* (?:weiteren? )?Anruf\\w*|widersp(?:rech|ruch)\\w*|Werbewiderspruch|abmeld\\w*|Sperrliste",
  "ne (?:plus|pas)[^.?!]{0,30}? (?:appel|contact|rappel)\\w*|(?:liste )?d'opposition|d[ée]sinscri\\w*|retir\\w*[^.?!]{1,40}?liste",
  "no (?:\\w+ ){0,3}(?:llam\\w*|contact\\w*)|dar(?:se|le|me)? de baja|(?:elimin|quit|borr)\\w*[^.?!]{1,40}?lista",
);
/** A sentence that has the agent keep it to itself. */
const HIDING =
  /(?:(?:never|do not|don't|must not|avoid|niemals|nicht|keinesfalls|jamais|nunca|no)\b[^.?!\n]{0,60}?\b(?:say|saying|tell|reveal\w*|disclos\w*|admit\w*|mention\w*|verrat\w*|sag\w*|dire|digas?|decir|revel\w*|mencion\w*)|\bne (?:dites|dis|dire|mentionn\p{L}*|r[ée]v[ée]l\p{L}*) (?:pas|jamais))\b[^.?!\n]*/giu;

function wording(...languages: readonly string[]): RegExp {
  // Letters of every language go on a word.
  const words = languages.join("|").replaceAll("\\w", "[\\p{L}\\p{N}]");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "iu");
}

/** Longer texts are read this far: the words stand early, or are hard to find for the agent, too. */
const READ_CHARS = 100_000;

interface Texts {
  greeting: string;
  prompt: string;
  isFlow: boolean;
}

/**
 * What is missing from what an agent is set up to say, a sentence each; empty where words for all of it were found.
 *
 * @param name how people know it.
 */
export function missingWording(agent: ShownAgent, name: string): string[] {
  const texts = textsOf(agent);
  if (texts === undefined)
    return [
      `the platform does not show what the published version of agent ${name} says: hear for yourself that it says that it is automated, for whom it calls, and how to be called no more`,
    ];
  const { greeting, prompt, isFlow } = texts;
  const whole = `${greeting}\n${prompt}`;
  const where = isFlow ? `of agent ${name} (its conversation flow is not read)` : `of agent ${name}`;
  const told: string[] = [];
  const hiding = [...prompt.matchAll(HIDING)]
    .map(([sentence]) => sentence)
    .find((one) => AUTOMATED.test(one));
  if (hiding !== undefined)
    told.push(
      `the prompt ${where} seems to have it hide that it is automated (${JSON.stringify(hiding.trim().slice(0, 120))}): say that it says so, first`,
    );
  if (!AUTOMATED.test(withoutHiding(whole)))
    told.push(
      `no wording was found in the greeting or the prompt ${where} that says that it is automated (such as "AI", "automated", "virtual assistant", "KI", "intelligence artificielle", "asistente virtual"): have the greeting say so`,
    );
  else if (greeting !== "" && !AUTOMATED.test(greeting))
    told.push(
      `the greeting ${where} does not say that it is automated, only its prompt speaks of that: have the greeting say so, since it is heard first`,
    );
  if (!CALLER.test(whole))
    told.push(
      `no wording was found in the greeting or the prompt ${where} that says for whom it calls (such as "calling from", "on behalf of", "im Auftrag", "de la part de", "de parte de"): have the greeting name the company`,
    );
  if (!OPT_OUT.test(whole))
    told.push(
      `no wording was found in the greeting or the prompt ${where} about being called no more (such as "do not call", "opt out", "nicht mehr anrufen", "ne plus appeler", "no volver a llamar"): have the prompt say what to do when somebody asks for that`,
    );
  return told;
}

function withoutHiding(text: string): string {
  return text.replaceAll(HIDING, "");
}

/** Of the version that is live, where snapshots tell it from the draft; undefined where none of it is shown. */
function textsOf(agent: ShownAgent): Texts | undefined {
  const live = (agent.versions ?? []).map(fieldsOf).find((version) => {
    const { published_version: published } = agent;
    return published === undefined || published === null
      ? version["is_published"] === true
      : version["version"] === published || version["version_number"] === published;
  });
  for (const fields of live === undefined
    ? [fieldsOf(agent)]
    : [live, fieldsOf(live["config"]), fieldsOf(live["snapshot"])]) {
    const { greeting_message: greeting, system_prompt: prompt, agent_mode: mode } = fields;
    if (typeof greeting !== "string" && typeof prompt !== "string") continue;
    return {
      greeting: textOf(greeting),
      prompt: textOf(prompt),
      isFlow: (mode ?? agent.agent_mode) === "conversation_flow",
    };
  }
  return undefined;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string"
    ? value.normalize("NFC").replaceAll("’", "'").slice(0, READ_CHARS).trim()
    : "";
}
