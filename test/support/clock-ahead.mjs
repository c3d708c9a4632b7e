// Puts the clock of a process ahead, as a machine's that was set wrong is: `--import` it. How time runs stays as it is.
const AHEAD_MS = Number(process.env["CLOCK_AHEAD_MS"]);
const real = Date.now.bind(Date);
Date.now = () => real() + AHEAD_MS;
// One that is made of nothing is of now; all others are of what they are made of.
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, made) =>
    Reflect.construct(target, parts.length > 0 ? parts : [target.now()], made),
});
