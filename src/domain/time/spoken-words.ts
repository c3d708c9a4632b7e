/*
 * Words of times as people, and whoever writes down what they said, have them: English, German, Spanish, French,
 * Portuguese, Italian and Dutch, in lower case and without accents. A word stands here only where it means one thing
 * in all of them; what is not here makes a text unreadable.
 */

/** What a word is to a time. `at` and `in` say what the number behind them is. Months and weekdays begin at 1. */
export type WordMeaning =
  | { kind: "ahead"; days: number }
  | { kind: "weekday"; weekday: number }
  | { kind: "month"; month: number }
  | { kind: "part"; part: PartOfDay; ahead?: number }
  | { kind: "noon" }
  | { kind: "meridiem"; pm: boolean }
  | { kind: "at" }
  | { kind: "in" }
  | { kind: "this" }
  | { kind: "count"; count: number }
  /** `hours`; `mayBeClock`: the word for hours that is said behind a time of day, too. */
  | { kind: "unit"; unitMs: number; mayBeClock?: true }
  | { kind: "clock_suffix" }
  | { kind: "filler" };

export type PartOfDay = "morning" | "afternoon" | "evening";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Monday first. */
const WEEKDAYS = [
  "monday mon montag lundi lunes lunedi segunda-feira maandag",
  "tuesday tue tues dienstag mardi martes martedi terca-feira dinsdag",
  "wednesday wed mittwoch mercredi miercoles mercoledi quarta-feira woensdag",
  "thursday thu thur thurs donnerstag jeudi jueves giovedi quinta-feira donderdag",
  "friday fri freitag vendredi viernes venerdi sexta-feira vrijdag",
  "saturday sat samstag samedi sabado sabato zaterdag",
  "sunday sun sonntag dimanche domingo domenica zondag",
];

const MONTHS = [
  "january jan januar janvier enero janeiro gennaio januari",
  "february feb februar fevrier febrero fevereiro febbraio februari",
  "march mar marz mars marzo marco maart",
  "april apr avril abril aprile",
  "may mai mayo maio maggio mei",
  "june jun juni juin junio junho giugno",
  "july jul juli juillet julio julho luglio",
  "august aug aout agosto augustus",
  "september sep sept septembre septiembre setembro settembre",
  "october oct oktober octobre octubre outubro ottobre",
  "november nov novembre noviembre novembro",
  "december dec dezember decembre diciembre dezembro dicembre",
];

const OTHERS: readonly [words: string, meaning: WordMeaning][] = [
  ["today heute hoy aujourd'hui hoje oggi vandaag", { kind: "ahead", days: 0 }],
  ["tomorrow morgen manana demain amanha domani", { kind: "ahead", days: 1 }],
  ["ubermorgen apres-demain dopodomani overmorgen", { kind: "ahead", days: 2 }],
  ["morning vormittag", { kind: "part", part: "morning" }],
  ["afternoon nachmittag", { kind: "part", part: "afternoon" }],
  ["evening abend", { kind: "part", part: "evening" }],
  ["tonight", { kind: "part", part: "evening", ahead: 0 }],
  ["noon midday mittag midi mezzogiorno", { kind: "noon" }],
  ["pm", { kind: "meridiem", pm: true }],
  ["at um las as alle om around about", { kind: "at" }],
  ["in dans en em tra", { kind: "in" }],
  ["this", { kind: "this" }],
  ["an one ein eine einer einem un une una uma een", { kind: "count", count: 1 }],
  ["two zwei deux dos due twee", { kind: "count", count: 2 }],
  ["three drei trois tres tre drie", { kind: "count", count: 3 }],
  ["four", { kind: "count", count: 4 }],
  ["five", { kind: "count", count: 5 }],
  ["six", { kind: "count", count: 6 }],
  ["seven", { kind: "count", count: 7 }],
  ["eight", { kind: "count", count: 8 }],
  ["nine", { kind: "count", count: 9 }],
  ["ten", { kind: "count", count: 10 }],
  ["eleven", { kind: "count", count: 11 }],
  ["twelve", { kind: "count", count: 12 }],
  ["fifteen", { kind: "count", count: 15 }],
  ["twenty", { kind: "count", count: 20 }],
  ["thirty", { kind: "count", count: 30 }],
  ["half", { kind: "count", count: 0.5 }],
  ["minute minutes min mins minuten minuto minutos minuti minuut", { kind: "unit", unitMs: MINUTE_MS }],
  ["hour hours hr hrs stunde stunden", { kind: "unit", unitMs: HOUR_MS }],
  ["heure heures hora horas ora ore uur uren h", { kind: "unit", unitMs: HOUR_MS, mayBeClock: true }],
  ["day days tag tage tagen jour jours dia dias giorno giorni dag dagen", { kind: "unit", unitMs: DAY_MS }],
  [
    "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
    { kind: "unit", unitMs: 7 * DAY_MS },
  ],
  ["oclock uhr", { kind: "clock_suffix" }],
  ["the on of den dem der del el le il op please bitte", { kind: "filler" }],
];

function allWords(): ReadonlyMap<string, WordMeaning> {
  const words = new Map<string, WordMeaning>();
  const put = (list: string, meaning: WordMeaning) => {
    for (const word of list.split(" ")) {
      if (words.has(word)) throw new Error(`${word} means two things`);
      words.set(word, meaning);
    }
  };
  for (const [index, list] of WEEKDAYS.entries()) put(list, { kind: "weekday", weekday: index + 1 });
  for (const [index, list] of MONTHS.entries()) put(list, { kind: "month", month: index + 1 });
  for (const [list, meaning] of OTHERS) put(list, meaning);
  return words;
}

const WORDS = allWords();

export function meaningOf(word: string): WordMeaning | undefined {
  return WORDS.get(word);
}
