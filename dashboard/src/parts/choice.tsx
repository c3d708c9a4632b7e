interface ChoiceProps<Value extends string> {
  label: string;
  /** What is chosen from, and what it is called. */
  options: readonly (readonly [value: Value, name: string])[];
  value: Value;
  choose: (value: Value) => void;
}

/** One of a few, beside the title of what it is about. */
export function Choice<Value extends string>({ label, options, value, choose }: ChoiceProps<Value>) {
  return (
    <label class="inline">
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([option]) => option === currentTarget.value);
          if (chosen) choose(chosen[0]);
        }}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
