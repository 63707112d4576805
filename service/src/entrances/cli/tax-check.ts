// The state of the tax dataset on a day: problems by file, how sure its rows are, what ends, what grew old.
import type { TaxRule } from '../../core/tax/rule.ts';
import { readTaxFiles } from '../../platform/data-files.ts';
import type { Output } from './output.ts';

/** A source older than this is due to be read again. */
export const STALE_AFTER_DAYS = 180;

export interface CountryState {
  readonly jurisdiction: string;
  readonly name: string;
  readonly rules: number;
  readonly official: number;
  readonly secondary: number;
  readonly unverified: number;
  readonly sources: number;
  readonly problems: number;
}

export interface Finding {
  readonly jurisdiction: string;
  readonly ruleId: string;
  readonly on: string;
}

export interface TaxCheck {
  readonly date: string;
  readonly totals: {
    readonly countries: number;
    readonly rules: number;
    readonly official: number;
    readonly secondary: number;
    readonly unverified: number;
    readonly sources: number;
  };
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
  /** Rows in force that end on a later day unless renewed. */
  readonly sunsets: readonly Finding[];
  /** Rows whose source was read more than 180 days before, still in force or to come; `on` is when it was read. */
  readonly stale: readonly Finding[];
  readonly countries: readonly CountryState[];
}

/** @param date ISO date the answer is for */
export function checkTaxFiles(date: string, folder?: string): TaxCheck {
  const files = readTaxFiles(folder);
  const oldest = new Date(Date.parse(date) - STALE_AFTER_DAYS * 86_400_000).toISOString().slice(0, 10);
  const sunsets: Finding[] = [];
  const stale: Finding[] = [];
  const countries: CountryState[] = [];
  for (const { country, problems } of files) {
    if (!country) continue;
    const rules = country.rules ?? [];
    const sources = country.sources ?? {};
    const sure = (c: TaxRule['confidence']) => rules.filter((r) => r.confidence === c).length;
    countries.push({
      jurisdiction: country.jurisdiction,
      name: country.name,
      rules: rules.length,
      official: sure('official'),
      secondary: sure('secondary'),
      unverified: sure('unverified'),
      sources: Object.keys(sources).length,
      problems: problems.length,
    });
    for (const r of rules) {
      const finding = (on: string) => ({ jurisdiction: country.jurisdiction, ruleId: r.ruleId, on });
      if (r.validTo !== null && r.validTo <= date) continue;
      if (r.sunsetOn !== undefined && r.sunsetOn >= date) sunsets.push(finding(r.sunsetOn));
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
      official: sum((c) => c.official),
      secondary: sum((c) => c.secondary),
      unverified: sum((c) => c.unverified),
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
    ['Countries', t.countries],
    ['Rules', `${t.rules}: ${t.official} official, ${t.secondary} secondary, ${t.unverified} unverified`],
    ['Sources', t.sources],
    ['Problems', c.problems.length],
    ['Sunsets ahead', c.sunsets.length],
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
    out.table<Finding>(
      [
        { title: 'Country', value: (f) => f.jurisdiction },
        { title: 'Rule', value: (f) => f.ruleId },
        { title: when, value: (f) => f.on },
      ],
      list,
    );
  section('Rules that end unless renewed', findings(c.sunsets, 'Ends'), c.sunsets.length);
  section('Rules whose source is due to be read again', findings(c.stale, 'Read'), c.stale.length);
  out.line();
  out.table<CountryState>(
    [
      { title: 'Country', value: (s) => s.jurisdiction },
      { title: 'Name', value: (s) => s.name },
      { title: 'Rules', value: (s) => s.rules, right: true },
      { title: 'Official', value: (s) => s.official, right: true },
      { title: 'Secondary', value: (s) => s.secondary, right: true },
      { title: 'Unverified', value: (s) => s.unverified, right: true },
      { title: 'Sources', value: (s) => s.sources, right: true },
      { title: 'Problems', value: (s) => s.problems, right: true },
    ],
    c.countries,
  );
}
