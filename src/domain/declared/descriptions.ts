import type { DeclaredKind } from "./documents.ts";

/** What a kind is, and its fields, for whoever writes a document in an editor. */
export const DESCRIPTIONS: Readonly<
  Record<DeclaredKind, { whole: string; fields: Readonly<Record<string, string>> }>
> = {
  "attention-route": {
    whole: "An attention route: who is told of what waits for people, by which way, and how often.",
    fields: {
      name: "What it is called.",
      to: "By which way: one of webhook (url and the name of the secret that signs), slack (url, by the name of a secret) and email (to, from).",
      kinds: "What is told; left out: everything.",
      except_kinds: "What is not told; everything else is.",
      brands: "Whose; left out: every brand's.",
      gather:
        "After how long it is told again of what goes on or comes back, such as 15m; then after twice as long each time, a day at most.",
      remind: "How often it is told again of what nobody has acknowledged: every, times.",
      quiet_hours: "When nothing is told but the kinds in except: zone, hours, except.",
    },
  },
  "event-webhook": {
    whole:
      "A webhook of events: a program elsewhere that is sent what happens, in order, by signed requests.",
    fields: {
      name: "What it is called.",
      to: "Where it goes: webhook, with url and the name of the secret that signs.",
      types: "Of which types events are sent; left out: all.",
      brands: "Whose; left out: every brand's, and what is of none.",
    },
  },
  automation: {
    whole: "An automation: a workflow of the platform that is made, tested, deployed and watched.",
    fields: {
      name: "What it is called here and in schedules.",
      description: "For people.",
      workflow: "What it does, as the platform's JSON, or { file: ... } beside this document.",
      generate: "What it is to do, in words: the platform writes it. Instead of workflow.",
      refine: "What to change about what was generated, one after the other.",
      trigger_type: "What sets it off.",
      trigger_config: "Settings of what sets it off, as the platform takes them.",
      execution_mode: "Whether the platform waits for its end.",
      timeout_seconds: "How long an execution may take.",
      secrets: "By the name under which it looks for each: { secret: <name> }. Values never stand here.",
      test: "What a test run is given, and a condition over what it comes to.",
      active: "Whether it is switched on.",
      agents: "Whose calls it works for. Left out: links stay as they are; empty: there are none.",
      repeat: "Whether an execution whose fate is unknown may be run again.",
      alerts: "When people are told of it.",
      drift: "Whether a change made by hand on the platform is repaired or reported.",
    },
  },
  "suppression-source": {
    whole:
      "A source of suppressions: a list that is replaced as a whole, or a service that is asked about numbers. It is never pruned.",
    fields: {
      name: "What it is called, everywhere: in requires_sources, in imports, and where a number is refused.",
      type: "What its list is about.",
      brand: "Whose calls it binds; left out: every brand's.",
      max_age:
        "How old its list may be to be dialed by, such as 31d: without one that is young enough nobody in its scope is called.",
      scrub:
        "A service that is asked about each number before it is dialed: its url, the name of the secret that signs requests, cache_for and when_away.",
    },
  },
  "suppression-list": {
    whole: "Numbers that must not be dialed. They are only ever added, never pruned.",
    fields: {
      name: "What the list is called.",
      brand: "Whose calls it binds; or global.",
      global: "For every brand.",
      reason: "Kept for good beside each number.",
      default_region: "The country of numbers without +, such as US.",
      numbers: "Numbers, as text in quotes.",
      file: "A CSV or NDJSON file with a column of phone numbers; the path begins at this document's folder.",
      file_sha256: "Written by the command line.",
    },
  },
  campaign: {
    whole:
      "A campaign: a list of people is called under a policy. It is written down and never started by apply.",
    fields: {
      name: "What it is called; once for each brand.",
      brand: "Whose it is.",
      agent_id: "The platform's agent that talks.",
      from_numbers: "Numbers of yours that are shown to people, in E.164 form.",
      variants: "Agents or variables that are compared: each contact gets one of them, by their number.",
      caller_ids:
        "Which of them somebody is called from, how often each may call, and when one that nobody answers rests.",
      concurrency: "How many calls may be up at once.",
      ramp_up: "How long it takes from one call at once to all, at the beginning and after each pause.",
      weight:
        "Its part of the account's lines against other campaigns', where they share them; 1 if nothing is said.",
      priority:
        "high, normal or low: whether its list goes before others' where they share the account's lines.",
      default_region: "The country of numbers without +, such as US.",
      zones:
        "strict: numbers of +1 are not placed by their prefix, but by what is said of the person, or all over their country.",
      retry: "How often somebody is tried, and how long after which outcome.",
      sensitive:
        "Columns of the list whose values are encrypted in the ledger and told to the agent alone: never listed, and no rule reads them.",
      contact_priority: "A column of the list, and the values of it that are called first and last.",
      order: "In which order first calls are made: that of the list, or newest_first.",
      window:
        "When people may be called, in their own local time; weekdays 09:00 to 18:00 if nothing is said.",
      holidays: "Places such as US or DE-BY on whose public holidays nobody there is called.",
      exceptions: "Dates with hours of their own, or none; they go before holidays.",
      presets:
        "Rules of countries and states that hold besides, such as us-states; careful where neither these nor a window are named.",
      override:
        "Rules of presets that do not hold for it, each with the reason, which is audited and reported.",
      frequency: "How often a number may be called in any stretch of time, whoever calls.",
      numbers: "Countries whose numbers may be called, and costly kinds that may be, too.",
      transfers:
        "Those who take transferred calls: outside their hours nobody is called, and no more lines dial than they can take the transfers of.",
      on_agent_change:
        "tell or pause: what becomes of it when another version of its agent is published while it runs; told if nothing is said.",
      canary: "How many calls are made before somebody has to approve of them.",
      breaker:
        "Which share of its newest calls, by what they came to, has it pause itself, and whether it probes.",
      budget:
        "What its calls may cost in US dollars, in all and on a day of UTC or of `zone`, and what one is expected to cost.",
      consent: "Which consent a number must have to be called, and how old it may be.",
      requires_sources:
        "Sources of suppressions that must be there, have a list and be young enough for anybody to be called.",
      starts_at: "Nobody is called before.",
      ends_at: "Nobody is called after.",
      analysis:
        "Which answers of the agent's own analysis, and what else is known of a call, decide what it came to.",
      inbound: "What a call from somebody does to the calls that were still to be made to them.",
      follow_ups: "What is done after calls.",
      contacts: "Where a recurring campaign gets its people from, fresh for each run.",
      not_called_within: "Leaves out whoever was called within this, such as 7d.",
      least_gap:
        "Time between two calls to a number, unless a delay of retry is shorter; a minute at least where phones ring, 5m if nothing is said.",
    },
  },
  sequence: {
    whole: "A sequence: the steps that somebody goes through, over hours or weeks.",
    fields: {
      name: "What it is called; once for each brand.",
      brand: "Whose it is.",
      agent_id: "Of calls whose step names none.",
      from_numbers: "Of calls whose step names none.",
      concurrency: "Calls of one step that may be up at once.",
      weight:
        "What a step weighs against campaigns where they share the account's lines; 1 if nothing is said.",
      default_region: "The country of numbers without +, such as US.",
      zones:
        "strict: numbers of +1 are not placed by their prefix, but by what is said of the person, or all over their country.",
      retry: "Of calls whose step says nothing of it.",
      window: "When people may be called, in their own local time.",
      holidays: "Places such as US or DE-BY on whose public holidays nobody there is called.",
      exceptions: "Dates with hours of their own, or none; they go before holidays.",
      presets:
        "Rules of countries and states that hold besides, such as us-states; careful where neither these nor a window are named.",
      override:
        "Rules of presets that do not hold for it, each with the reason, which is audited and reported.",
      frequency: "How often a number may be called in any stretch of time, whoever calls.",
      numbers: "Countries whose numbers may be called, and costly kinds that may be, too.",
      consent: "Which consent a number must have to be called, and how old it may be.",
      requires_sources:
        "Sources of suppressions that must be there, have a list and be young enough for anybody to be called.",
      transfers:
        "Those who take transferred calls: outside their hours nobody is called, and all steps together dial no more lines than they can take the transfers of.",
      on_agent_change:
        "What becomes of a step's calls when another version of their agent is published: tell, if nothing is said, or pause, until they are resumed.",
      analysis:
        "Which answers of the agent's own analysis, and what else is known of a call, decide what it came to.",
      least_gap:
        "Time between two calls to a number, unless a delay of retry is shorter; a minute at least where phones ring, 5m if nothing is said.",
      variables: "What is known of everybody if nothing else is said.",
      sensitive:
        "Variables of people that are encrypted in the ledger and told to the agent alone, in every call: nothing else reads, shows or writes them.",
      re_enrolment: "What becomes of somebody who is enrolled again.",
      inbound: "What a call from somebody does to the calls that wait for them.",
      goals: "Conditions under which somebody has arrived.",
      exit_when: "Conditions under which somebody leaves.",
      steps: "In their order, each with an id.",
    },
  },
  trigger: {
    whole: "A trigger: a door through which another system tells of something.",
    fields: {
      name: "The last part of its address, /v1/triggers/<name>.",
      auth: "How it makes sure who sends; secrets by their names.",
      idempotency: "What is the same whenever the same thing is sent again.",
      each: "The list that a payload holds, each element an item of its own.",
      when: "Which payloads, or items, count.",
      enroll: "Enrolls somebody in a sequence.",
      event: "Tells sequences of something that happened to somebody.",
      exit: "Takes somebody out of a sequence.",
    },
  },
  schedule: {
    whole: "A schedule: an automation or a campaign that is run again and again.",
    fields: {
      name: "What it is called.",
      run: "What is run: exactly one of automation, workflow_id and campaign.",
      cron: "When, as a cron pattern of five fields. Or every, or calendar.",
      every: "How often, such as 1h.",
      offset: "How long after each full interval.",
      calendar: "On which days at which times.",
      time_zone: "Whose local time that is, such as America/New_York.",
      jitter: "Each run begins so much later at the most, by chance.",
      overlap: "What becomes of a run that is due while another goes on.",
      catch_up: "How late a run may begin; a later one is not made.",
      pause_on_failure: "Whether a failed run pauses the schedule.",
      longer_than: "A run that takes longer is told to people.",
      engine: "Who keeps the time.",
      drift: "Whether a change made by hand is repaired or reported.",
    },
  },
};
