/**
 * Every kind of page, and the file whose tests look at it by axe, in the light and in the dark. The first that fits is
 * an address's, as in the router.
 */
export const KINDS_OF_PAGES: Readonly<Record<string, "day" | "editing" | "upkeep">> = {
  "/": "day",
  "/campaigns/new": "day",
  "/campaigns/:ref/ahead": "day",
  "/campaigns/:ref/people": "day",
  "/campaigns/:ref/calls": "day",
  "/campaigns/:ref/batches": "day",
  "/campaigns/:ref/results": "day",
  "/campaigns/:ref/amend": "day",
  "/campaigns/:ref/events": "day",
  "/campaigns/:ref": "day",
  "/calls/:id": "day",
  "/people": "day",
  "/people/:phone": "day",
  "/forgettings": "day",
  "/forgettings/:id": "editing",
  "/attention": "day",
  "/sequences": "day",
  "/sequences/new": "editing",
  "/sequences/:ref/edit": "editing",
  "/sequences/:ref": "upkeep",
  "/enrolments/:id": "upkeep",
  "/follow-ups": "day",
  "/follow-ups/:id": "day",
  "/schedules": "day",
  "/schedules/:name": "upkeep",
  "/automations": "day",
  "/automations/:name": "upkeep",
  "/triggers": "day",
  "/triggers/:name": "editing",
  "/deliveries/:id": "editing",
  "/rules/triggers": "editing",
  "/rules": "day",
  "/suppressions": "day",
  "/audit": "day",
  "/tokens": "day",
  "/sessions": "day",
  "/system": "day",
};

/** @param address whole, as the browser has it */
export function kindOf(address: string): string | undefined {
  const { pathname } = new URL(address);
  return Object.keys(KINDS_OF_PAGES).find((kind) =>
    new RegExp(`^${kind.replaceAll(/:\w+/g, "[^/]+")}$`).test(pathname),
  );
}
