// Charts of totals: records and tax by class, and by month if there is more than one.

import { Bars } from '../../components/bars.tsx';
import { Panel } from '../../components/panel.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { sumOf } from '../../data/sums.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import type { Total } from './analysis.tsx';
import { className } from './parts.ts';

const whole = (v: string | number) => Number(v).toLocaleString(locale);

/** Groups totals by the text that `of` returns, in the order of first occurrence. */
function grouped(totals: readonly Total[], of: (t: Total) => string): [string, Total[]][] {
  const groups = new Map<string, Total[]>();
  for (const t of totals) groups.set(of(t), [...(groups.get(of(t)) ?? []), t]);
  return [...groups];
}

const records = (totals: readonly Total[]) => totals.reduce((n, t) => n + t.records, 0);

export function AnalysisCharts({ totals }: { readonly totals: readonly Total[] }) {
  const byClass = grouped(totals, (t) => className(t.class)).sort(([, a], [, b]) => records(b) - records(a));
  const byMonth = grouped(totals, (t) => t.period).sort(([a], [b]) => a.localeCompare(b));
  const currency = mostUsed(totals);
  const taxOf = (some: readonly Total[]) => sumOf(some.filter((t) => t.currency === currency).map((t) => t.tax));
  const height = Math.max(160, 60 + byClass.length * 36);
  return (
    <>
      <Panel title={say('Records by class')}>
        <Bars
          label={say('Records by class')}
          rows={byClass.map(([at, some]) => ({ at, values: { records: records(some) } }))}
          series={[{ name: 'records', label: say('Records'), color: 'slate.5' }]}
          format={whole}
          sideways
          labelWidth={110}
          height={height}
        />
      </Panel>
      <Panel title={say('Tax by class, {currency}', { currency })}>
        <Bars
          label={say('Tax by class in {currency}', { currency })}
          rows={byClass.map(([at, some]) => ({ at, values: { tax: taxOf(some) } }))}
          series={[{ name: 'tax', label: say('Tax'), color: 'verdigris.6' }]}
          format={(v) => groupDigits(String(v), currency)}
          sideways
          labelWidth={110}
          height={height}
        />
      </Panel>
      {byMonth.length > 1 ? (
        <>
          <Panel title={say('Records by month')}>
            <Bars
              label={say('Records by month')}
              rows={byMonth.map(([at, some]) => ({ at, values: { records: records(some) } }))}
              series={[{ name: 'records', label: say('Records'), color: 'slate.5' }]}
              format={whole}
            />
          </Panel>
          <Panel title={say('Tax by month, {currency}', { currency })}>
            <Bars
              label={say('Tax by month in {currency}', { currency })}
              rows={byMonth.map(([at, some]) => ({ at, values: { tax: taxOf(some) } }))}
              series={[{ name: 'tax', label: say('Tax'), color: 'verdigris.6' }]}
              format={(v) => groupDigits(String(v), currency)}
            />
          </Panel>
        </>
      ) : null}
    </>
  );
}

/** The currency of most records; amounts in others are only in the table below. */
function mostUsed(totals: readonly Total[]): string {
  const [first] = grouped(totals, (t) => t.currency).sort(([, a], [, b]) => records(b) - records(a));
  return first?.[0] ?? '';
}
