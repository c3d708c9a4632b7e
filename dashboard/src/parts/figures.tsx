import type { ComponentChildren } from "preact";

import { count, share } from "../format.ts";

export interface FigureProps {
  name: string;
  value: ComponentChildren;
  under?: ComponentChildren;
}

export function Figures({ of }: { of: readonly FigureProps[] }) {
  return (
    <div class="figures">
      {of.map(({ name, value, under }) => (
        <dl class="figure" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {under !== undefined && <dd class="under">{under}</dd>}
        </dl>
      ))}
    </div>
  );
}

interface PartsProps {
  label: string;
  parts: readonly { name: string; value: number }[];
}

/** Parts of a whole, as a bar with its numbers beneath. */
export function Parts({ label, parts }: PartsProps) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <div class="stack">
      <div
        class="bar"
        role="img"
        aria-label={`${label}: ${parts.map(({ name, value }) => `${name} ${count(value)}`).join(", ")}`}
      >
        {parts.map(({ name, value }) => (
          <span key={name} style={{ width: `${whole > 0 ? (100 * value) / whole : 0}%` }} />
        ))}
      </div>
      <ul class="legend">
        {parts.map(({ name, value }) => (
          <li key={name}>
            {name} <span class="number">{count(value)}</span>{" "}
            <span class="quiet number">{share(value, whole)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
