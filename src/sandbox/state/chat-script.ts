import type { Random } from "../random.ts";

export interface ScriptedReply {
  readonly content: string;
  /** The agent ends the chat with this. */
  readonly ends: boolean;
}

/** What the agent says to a message: by its words, else by chance of the seed. */
export function replyTo(content: string, random: Random): ScriptedReply {
  if (/\b(good ?bye|bye|that's all|no,? thanks?|stop)\b/i.test(content)) {
    return { content: "Thank you for your time. Goodbye!", ends: true };
  }
  if (/\b(price|cost|how much|expensive)\b/i.test(content)) {
    return { content: "That depends on the plan; the smallest one is 20 dollars a month.", ends: false };
  }
  if (/\b(call me|call back|phone)\b/i.test(content)) {
    return { content: "Of course. When would be a good time to call you?", ends: false };
  }
  if (/\b(human|person|somebody|someone)\b/i.test(content)) {
    return { content: "I will pass you on to a colleague, who will write to you shortly.", ends: false };
  }
  return {
    content: random.pick(
      "I see. Could you tell me a little more about that?",
      "Thank you, I have put that down.",
      "Let me check that for you. Is there anything else?",
      "That is possible. Would you like me to go on?",
    ),
    ends: false,
  };
}

/** A text with `{{name}}` in it replaced by what the variables say; unknown names stay as they are. */
export function filledIn(text: string, variables: Readonly<Record<string, string>> | null): string {
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
    variables !== null && Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  );
}

/** Some four characters a token. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
