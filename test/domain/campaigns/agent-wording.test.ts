import { describe, expect, it } from "vitest";

import { missingWording } from "../../../src/domain/campaigns/agent-wording.ts";

const PROMPT: Readonly<Record<string, string>> = {
  en: "If they ask you to stop calling, say that you will, and end the call.",
  de: "Wenn jemand nicht mehr angerufen werden möchte, bestätige das und beende das Gespräch.",
  fr: "Si la personne demande à ne plus être appelée, confirmez-le.",
  es: "Si la persona pide que no la vuelvan a llamar, confírmalo.",
};

/** What was missing, by a word of each sentence. */
function missing(greeting: string | undefined, prompt: string | undefined, rest: object = {}): string[] {
  return missingWording({ greeting_message: greeting, system_prompt: prompt, ...rest }, "Anna").map(
    (told) => {
      if (told.includes("does not show")) return "unseen";
      if (told.includes("hide")) return "hides";
      if (told.includes("only its prompt")) return "greeting";
      if (told.includes("automated (such")) return "automated";
      return told.includes("for whom") ? "caller" : "opt-out";
    },
  );
}

describe("what an agent is set up to say", () => {
  it.each([
    ["en", "Hi, this is Anna, an AI assistant calling from Acme."],
    ["en", "Hello! I'm Acme's automated agent, calling on behalf of Acme Insurance."],
    ["en", "Good day, I am the virtual assistant of Acme."],
    ["de", "Guten Tag, hier ist Anna, die KI-Assistentin von Acme."],
    ["de", "Hallo, ich bin der digitale Assistent und rufe im Auftrag der Acme GmbH an."],
    ["de", "Guten Tag, dies ist ein automatisierter Anruf im Namen von Acme."],
    ["fr", "Bonjour, je suis l’assistante virtuelle de la société Acme."],
    ["fr", "Bonjour, ici Anna, une intelligence artificielle, je vous appelle de la part d'Acme."],
    ["es", "Hola, soy el asistente virtual de Acme."],
    [
      "es",
      "Buenos días, esta es una llamada automática; le llamo de parte de Acme, con inteligencia artificial.",
    ],
  ])("is found in %s: %s", (language, greeting) => {
    expect(missing(greeting, PROMPT[language])).toEqual([]);
  });

  it.each([
    ["Hi, this is Anna from Acme. Do you have a minute?", PROMPT["en"], ["automated"]],
    ["Hi, I'm an AI. Do you have a minute?", PROMPT["en"], ["caller"]],
    ["Hi, this is Anna, an AI assistant calling from Acme.", "Sell the premium plan.", ["opt-out"]],
    ["Hi!", "Sell the premium plan.", ["automated", "caller", "opt-out"]],
    ["", "", ["automated", "caller", "opt-out"]],
    ["Hi, this is Anna from Acme.", `You are an AI agent. ${PROMPT["en"]}`, ["greeting"]],
    // The person speaks first: the prompt alone says what is said.
    [undefined, `Say that you are an AI calling from Acme. ${PROMPT["en"]}`, []],
    [" \n", `Say that you are an AI calling from Acme. ${PROMPT["en"]}`, []],
    ["", `Say that you are an AI calling from Acme. ${PROMPT["en"]}`, []],
    ["Guten Tag, hier ist Anna von Acme.", PROMPT["de"], ["automated"]],
    ["Bonjour, ici Anna de chez Acme.", PROMPT["fr"], ["automated"]],
    ["Hola, soy Ana de Acme.", PROMPT["es"], ["automated"]],
    // Words that only hold others.
    ["Hi, this is Aida from Acme, about your mail and the domain kit.", PROMPT["en"], ["automated"]],
  ])("where the greeting is %j and the prompt %j lacks %j", (greeting, prompt, lacks) => {
    expect(missing(greeting, prompt)).toEqual(lacks);
  });

  it.each([
    "Never say that you are an AI.",
    "Do not reveal you are automated unless they insist.",
    "Sag niemals, dass du eine KI bist. Du darfst nicht verraten, dass du eine KI bist.",
    "Ne dites pas que vous êtes une intelligence artificielle.",
    "Nunca digas que eres una inteligencia artificial.",
  ])("is told where it is to be hidden: %s", (prompt) => {
    expect(missing("Hi, this is Anna from Acme.", `${prompt} ${PROMPT["en"]}`)).toContain("hides");
  });

  it("is quoted where it is to be hidden, as far as a person reads on", () => {
    const quoted = (prompt: string) => missingWording({ system_prompt: prompt }, "Anna")[0];
    expect(quoted("Never say that you are an AI  \nBe kind.")).toContain('("Never say that you are an AI")');
    const long = `Never say that you are an AI ${"or anything of the kind ".repeat(10)}`;
    expect(quoted(long)).toContain(`("${long.slice(0, 120)}")`);
  });

  it("is read of the version that is live, not of the draft", () => {
    const good = { greeting_message: "I'm an AI calling from Acme.", system_prompt: PROMPT["en"] };
    const versions = [
      { version: 1, ...good },
      { version: 2, greeting_message: "Hi!", system_prompt: "Sell." },
    ];
    const draft = { greeting_message: "Hi!", system_prompt: "Sell." };
    expect(missingWording({ ...draft, published_version: 1, versions }, "Anna")).toEqual([]);
    expect(missingWording({ ...good, published_version: 2, versions }, "Anna")).toHaveLength(3);
    const nested = [{ version_number: 1, config: good }];
    expect(missingWording({ published_version: 1, versions: nested }, "Anna")).toEqual([]);
    const flagged = [
      { version: 6, is_published: false, ...draft },
      { version: 7, is_published: true, ...good },
      { version: null, ...draft },
    ];
    for (const none of [undefined, null])
      for (const order of [flagged, flagged.toReversed()])
        expect(missingWording({ ...draft, published_version: none, versions: order }, "Anna")).toEqual([]);
  });

  it("is not guessed where the platform shows none of it", () => {
    expect(missing(undefined, undefined)).toEqual(["unseen"]);
    expect(missing(undefined, undefined, { published_version: 3, versions: [{ version: 3 }] })).toEqual([
      "unseen",
    ]);
    const odd = { greeting_message: 7, system_prompt: null, versions: [] };
    expect(missingWording(odd, "Anna")).toHaveLength(1);
  });

  it("says that a conversation flow was not read", () => {
    const [told] = missingWording({ greeting_message: "Hi!", agent_mode: "conversation_flow" }, "Anna");
    expect(told).toContain("its conversation flow is not read");
    const [plain] = missingWording({ greeting_message: "Hi!", agent_mode: "single_prompt" }, "Anna");
    expect(plain).not.toContain("conversation flow");
    const live = { version: 1, greeting_message: "Hi!", agent_mode: "single_prompt" };
    const draft = { published_version: 1, agent_mode: "conversation_flow" };
    expect(missingWording({ ...draft, versions: [live] }, "Anna")[0], "of the version that is live").toBe(
      plain,
    );
    expect(missingWording({ ...draft, versions: [{ ...live, agent_mode: undefined }] }, "Anna")[0]).toBe(
      told,
    );
  });

  it("is looked for in the beginning of a text, where it is heard", () => {
    const good = `I'm an AI calling from Acme. ${PROMPT["en"]}`;
    expect(missing(undefined, `${"on and on ".repeat(9_000)} ${good}`)).toEqual([]);
    expect(missing(undefined, `${"on and on ".repeat(10_000)} ${good}`)).toContain("automated");
  });

  it("is read in no time, however long and however built", () => {
    const began = performance.now();
    const long = "never say no call me from list remove I am not from de la nicht ".repeat(20_000);
    missingWording({ greeting_message: long, system_prompt: long }, "Anna");
    missingWording(
      { greeting_message: "a".repeat(1_000_000), system_prompt: "never ".repeat(200_000) },
      "Anna",
    );
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
