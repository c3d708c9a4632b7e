import type { EventWire } from "../../http/wire/events.ts";
import { printable } from "../view/printable.ts";

/** An event as a sentence of the story, with its moment. */
export function storyLine(event: EventWire): string {
  return printable(`${event.at}  ${sentence(event)}`);
}

function sentence({ type, campaign, brand, data }: EventWire): string {
  const of = campaign === null ? "a campaign" : `campaign ${campaign}`;
  const text = (name: string) => (typeof data[name] === "string" ? data[name] : "");
  const because = text("reason") === "" ? "" : `: ${text("reason")}`;
  const by = text("actor") === "" || text("actor") === "engine" ? "" : ` by ${text("actor")}`;
  switch (type) {
    case "campaign.created":
      return `${of} was created${by}`;
    case "campaign.started":
      return `${of} began to call${by}${because}`;
    case "campaign.paused":
      return `${of} was paused${by}${because}`;
    case "campaign.resumed":
      return `${of} goes on${by}${because}`;
    case "campaign.ending":
      return `${of} is ending${by}${because}`;
    case "campaign.completed":
    case "campaign.cancelled":
      return `${of} is over: ${type.slice("campaign.".length)}${because}${tallyText(data["contacts"])}`;
    case "campaign.amended":
      return `${of} was amended${by}, in ${listText(data["fields"])}${because}`;
    case "attention.opened":
      return `${text("summary")} (to do: ${text("remedy")})`;
    case "attention.resolved":
      return `what waited as ${text("kind")} is dealt with by ${text("by")}: ${text("resolution")}`;
    case "dialing.stopped":
      return `everything was stopped${by}${because}`;
    case "dialing.resumed":
      return `the stop of everything was lifted${by}${because}`;
    default: {
      const facts = Object.entries(data)
        .filter(([name, value]) => value !== null && name !== "actor" && name !== "reason")
        .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`);
      const where = campaign !== null ? [`campaign ${campaign}`] : brand !== null ? [`brand ${brand}`] : [];
      return `${type.replaceAll(/[._]/g, " ")}${by}: ${[...where, ...facts].join(", ")}${because}`;
    }
  }
}

function tallyText(contacts: unknown): string {
  if (typeof contacts !== "object" || contacts === null) return "";
  const counts = Object.entries(contacts).map(([name, count]) => `${name} ${String(count)}`);
  return ` (${counts.join(", ")})`;
}

function listText(fields: unknown): string {
  return Array.isArray(fields) && fields.length > 0 ? fields.join(", ") : "nothing";
}
