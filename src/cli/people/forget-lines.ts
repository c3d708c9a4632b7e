import type { ForgetPreviewWire, ForgettingWire } from "../../http/wire/people/forgettings.ts";

/** What forgetting somebody would do, in lines. */
export function previewLines({ rows, becomes, recordings, calls, ...preview }: ForgetPreviewWire): string[] {
  const there = Object.entries(rows).filter(([table]) => table !== "forgettings");
  return [
    ...(there.length === 0 ? ["nothing is known of the number: it is suppressed, and that is all"] : []),
    ...there.map(([table, n]) => `${table} (${n}): ${becomes[table] ?? ""}`),
    ...(recordings > 0 ? [`recordings (${recordings}): removed from the disk`] : []),
    ...(calls > 0 ? [`calls (${calls}): the platform is asked to remove its records of them`] : []),
    ...(preview.waits_for === null ? [] : [`first this comes to its end: ${preview.waits_for}`]),
    ...preview.elsewhere.map(({ where, what }) => `${where} ${what}`),
  ];
}

/** How a request stands, or its certificate. */
export function forgettingLines(one: ForgettingWire): string[] {
  const { id, state, waits_for: waits, certificate } = one;
  if (certificate === null)
    return [
      `forgetting ${id} (number ending in ${one.last_digits}): ${state}${waits === null ? "" : `, waits for ${waits}`}`,
      `outdial person forgotten ${id} shows how it stands, and its certificate`,
    ];
  const { removed, waiting, kept, elsewhere } = certificate;
  return [
    `Certificate ${id} of installation ${certificate.installation_id}`,
    `person        ${certificate.person}, number ending in ${certificate.last_digits}`,
    `asked         ${certificate.asked_at} by ${certificate.asked_by}: ${certificate.reason}`,
    `done          ${certificate.done_at}`,
    ...Object.entries(removed).map(([what, n]) => `removed       ${n} of ${what}`),
    ...waiting.map(({ what, name, where, why }) => `not removed   ${what} ${name} in ${where}: ${why}`),
    ...(certificate.complete_at === null
      ? ["              it is asked for again, and leaves this certificate once it is gone"]
      : [`complete      ${certificate.complete_at}`]),
    ...kept.map(({ what, rows, as, why }) => `kept          ${what} (${rows}), as ${as}: ${why}`),
    ...elsewhere.map(({ where, what }) => `elsewhere     ${where} ${what}`),
  ];
}
