// The state of the tax dataset on a date: problems by file, confidence of its rules, rules that end, and old sources.
// Checks the files that ship, or the rules in force in the database.
import { addDays } from '../../core/calendar.ts';
import { countryProblems } from '../../core/tax/problems.ts';
import { type Confidence, type CountryTax, confidences, type TaxRule } from '../../core/tax/rule.ts';
import type { CountryInForce } from '../../modules/rates/index.ts';
import { readTaxFiles } from '../../platform/data-files.ts';
import type { Output } from './output.ts';

/** Days after which a source must be read again. */
const STALE_AFTER_DAYS = 180;
/** Days before its end from which a rule in force is reported: it must be renewed, or its end must be loaded. */
const SUNSET_WITHIN_DAYS = 90;

/** Number of rules by confidence. */
type BySureness = Readonly<Record<Confidence, number>>;

interface CountryState extends BySureness {
  readonly jurisdiction: string;
  readonly name: string;
  readonly rules: number;
  readonly sources: number;
  readonly problems: number;
  /**
   * Only for rules in the database: whether they shipped or staff loaded them; `actor` and `recordedAt` say who and
   * when.
   */
  readonly origin?: CountryInForce['origin'];
  readonly actor?: string;
  readonly recordedAt?: string;
}

interface Finding {
  readonly jurisdiction: string;
  readonly ruleId: string;
  readonly on: string;
}

export interface TaxCheck {
  readonly date: string;
  /** Version of the rules in force; absent if files were checked. */
  readonly dataset?: string;
  readonly totals: BySureness & {
    readonly countries: number;
    readonly rules: number;
    readonly sources: number;
  };
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
  /** Rules that end unless they are renewed; `on` is the day. */
  readonly sunsets: readonly Finding[];
  /** Rules in force or to come whose source was read more than 180 days before; `on` is the day it was read. */
  readonly stale: readonly Finding[];
  readonly countries: readonly CountryState[];
}

interface Checked {
  readonly file: string;
  readonly country: CountryTax | undefined;
  readonly problems: readonly string[];
  readonly loaded?: Pick<CountryState, 'origin' | 'actor' | 'recordedAt'>;
}

/** @param date ISO date to check for */
export const checkTaxFiles = (date: string, folder?: string): TaxCheck => check(date, readTaxFiles(folder));

/** Checks the rules in force in the database, whether they shipped or staff loaded them. */
export function checkInForce(date: string, dataset: string, countries: readonly CountryInForce[]): TaxCheck {
  const checked = countries.map(
    ({ country, ...loaded }): Checked => ({
      file: country.jurisdiction,
      country,
      problems: countryProblems(country).map(String),
      loaded,
    }),
  );
  return { dataset, ...check(date, checked, addDays(date, SUNSET_WITHIN_DAYS)) };
}

const bySureness = (count: (c: Confidence) => number): BySureness => ({
  official: count('official'),
  secondary: count('secondary'),
  unverified: count('unverified'),
  assumed: count('assumed'),
});

/** @param until last day for which the end of a rule is reported */
function check(date: string, files: readonly Checked[], until = '9999-12-31'): TaxCheck {
  const oldest = addDays(date, -STALE_AFTER_DAYS);
  const sunsets: Finding[] = [];
  const stale: Finding[] = [];
  const countries: CountryState[] = [];
  for (const { country, problems, loaded } of files) {
    if (!country) continue;
    const rules = country.rules ?? [];
    const sources = country.sources ?? {};
    const sure = (c: TaxRule['confidence']) => rules.filter((r) => r.confidence === c).length;
    countries.push({
      jurisdiction: country.jurisdiction,
      name: country.name,
      rules: rules.length,
      ...bySureness(sure),
      sources: Object.keys(sources).length,
      problems: problems.length,
      ...loaded,
    });
    for (const r of rules) {
      const finding = (on: string) => ({ jurisdiction: country.jurisdiction, ruleId: r.ruleId, on });
      if (r.validTo !== null && r.validTo <= date) continue;
      if (r.sunsetOn !== undefined && r.sunsetOn >= date && r.sunsetOn <= until) sunsets.push(finding(r.sunsetOn));
      const read = sources[r.source]?.retrievedOn;
      if (read !== undefined && read < oldest) stale.push(finding(read));
    }
  }
  const sum = (of: (c: CountryState) => number) => countries.reduce((a, c) => a + of(c), 0);
  const byDate = (a: Finding, b: Finding) => (a.on === b.on ? (a.ruleId < b.ruleId ? -1 : 1) : a.on < b.on ? -1 : 1);
  return {
    date,
    totals: {
      countries: countries.length,
      rules: sum((c) => c.rules),
      ...bySureness((of) => sum((c) => c[of])),
      sources: sum((c) => c.sources),
    },
    problems: files.flatMap((f) => f.problems.map((problem) => ({ file: f.file, problem }))),
    sunsets: sunsets.sort(byDate),
    stale: stale.sort(byDate),
    countries,
  };
}

export function showCheck(out: Output, c: TaxCheck): void {
  const { totals: t } = c;
  out.facts([
    ['Date', c.date],
    ...(c.dataset === undefined
      ? []
      : ([
          ['Dataset', c.dataset],
          ['Loaded by staff', c.countries.filter((s) => s.origin === 'operator').length],
        ] as const)),
    ['Countries', t.countries],
    ['Rules', `${t.rules}: ${confidences.map((c) => `${t[c]} ${c}`).join(', ')}`],
    ['Sources', t.sources],
    ['Problems', c.problems.length],
    [c.dataset === undefined ? 'Sunsets ahead' : `Sunsets within ${SUNSET_WITHIN_DAYS} days`, c.sunsets.length],
    [`Read over ${STALE_AFTER_DAYS} days ago`, c.stale.length],
  ]);
  const section = (title: string, show: () => void, count: number) => {
    if (count === 0) return;
    out.line();
    out.line(title);
    show();
  };
  section(
    'Problems',
    () => {
      for (const p of c.problems) out.line(`  ${p.file}: ${p.problem}`);
    },
    c.problems.length,
  );
  const findings = (list: readonly Finding[], when: string) => () =>
    out.table<Finding>(list, [
      { title: 'Country', value: (f) => f.jurisdiction },
      { title: 'Rule', value: (f) => f.ruleId },
      { title: when, value: (f) => f.on },
    ]);
  section('Rules that end unless renewed', findings(c.sunsets, 'Ends'), c.sunsets.length);
  section('Rules whose source is due to be read again', findings(c.stale, 'Read'), c.stale.length);
  out.line();
  out.table<CountryState>(c.countries, [
    { title: 'Country', value: (s) => s.jurisdiction },
    { title: 'Name', value: (s) => s.name },
    { title: 'Rules', value: (s) => s.rules, right: true },
    { title: 'Official', value: (s) => s.official, right: true },
    { title: 'Secondary', value: (s) => s.secondary, right: true },
    { title: 'Unverified', value: (s) => s.unverified, right: true },
    { title: 'Assumed', value: (s) => s.assumed, right: true },
    { title: 'Sources', value: (s) => s.sources, right: true },
    { title: 'Problems', value: (s) => s.problems, right: true },
    ...(c.dataset === undefined
      ? []
      : [
          { title: 'Origin', value: (s: CountryState) => s.origin },
          { title: 'Loaded by', value: (s: CountryState) => s.actor },
          { title: 'On', value: (s: CountryState) => s.recordedAt?.slice(0, 10) },
        ]),
  ]);
}
