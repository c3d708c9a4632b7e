import type { components } from "outdial/api";

import { words } from "../../../words.ts";

const say = words.fresh;

export interface Plan {
  name: string;
  brand: string;
  agent: string;
  numbers: string;
  concurrency: number;
  region: string;
  days: "weekdays" | "every_day";
  from: string;
  to: string;
  attempts: number;
  canary: number;
}

const FIRST: Omit<Plan, "brand"> = {
  name: "",
  agent: "",
  numbers: "",
  concurrency: 10,
  region: "",
  days: "weekdays",
  from: "09:00",
  to: "18:00",
  attempts: 3,
  canary: 0,
};

/** Before anything was said of it. */
export function firstPlan(brand: string): Plan {
  return { ...FIRST, brand };
}

export function specOf(plan: Plan): components.CampaignSpec {
  const hours = [`${plan.from}-${plan.to}`];
  return {
    name: plan.name.trim(),
    brand: plan.brand.trim(),
    agent_id: plan.agent.trim(),
    from_numbers: plan.numbers.split(/[\s,;]+/).filter((number) => number !== ""),
    concurrency: plan.concurrency,
    ...(plan.region !== "" && { default_region: plan.region.toUpperCase() }),
    window: plan.days === "weekdays" ? { weekdays: hours } : { weekdays: hours, weekend: hours },
    retry: { max_attempts: plan.attempts },
    ...(plan.canary > 0 && { canary: plan.canary }),
  };
}

export function PlanFields({ plan, change }: { plan: Plan; change: (part: Partial<Plan>) => void }) {
  const text = (
    key: "name" | "brand" | "agent" | "region" | "from" | "to",
    label: string,
    more: object = {},
  ) => (
    <label>
      {label}
      <input
        value={plan[key]}
        onInput={({ currentTarget }) => change({ [key]: currentTarget.value })}
        {...more}
      />
    </label>
  );
  const number = (key: "concurrency" | "attempts" | "canary", label: string, min: number, hint?: string) => (
    <label>
      {label}
      <input
        type="number"
        min={min}
        required
        value={plan[key]}
        onInput={({ currentTarget }) => change({ [key]: currentTarget.valueAsNumber })}
      />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
  return (
    <div class="columns">
      <div class="stack">
        {text("name", say.name, { required: true })}
        {text("brand", say.brand, { required: true })}
        {text("agent", say.agent, { required: true })}
        <label>
          {say.numbers}
          <textarea
            required
            value={plan.numbers}
            onInput={({ currentTarget }) => change({ numbers: currentTarget.value })}
          />
        </label>
      </div>
      <div class="stack">
        {number("concurrency", say.concurrency, 1)}
        {number("attempts", say.attempts, 1)}
        {number("canary", say.canary, 0, say.canaryHint)}
        {text("region", say.region, { maxLength: 2, pattern: "[A-Za-z]{2}", placeholder: "DE" })}
      </div>
      <fieldset>
        <legend>{say.hours}</legend>
        <label>
          {say.days}
          <select
            value={plan.days}
            onChange={({ currentTarget }) =>
              change({ days: currentTarget.value === "weekdays" ? "weekdays" : "every_day" })
            }
          >
            <option value="weekdays">{say.weekdays}</option>
            <option value="every_day">{say.everyDay}</option>
          </select>
        </label>
        {text("from", say.from, { type: "time", required: true })}
        {text("to", say.to, { type: "time", required: true })}
      </fieldset>
    </div>
  );
}
