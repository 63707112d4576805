// The report of what rules found: alerts by rule and version, how they were resolved and how long that took.

import { code, count, decimal, percent, section, text } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameters, periodFacts, readPeriod } from '../../kernel/report-period.ts';

interface Line {
  readonly rule: string;
  readonly version: string | null;
  readonly severity: string;
  readonly alerts: number;
  readonly open: number;
  readonly confirmed: number;
  readonly cleared: number;
  readonly precision: string | null;
  readonly mean: string | null;
  readonly median: string | null;
}

/** Hours from the opening of an alert to its resolution. */
const hours = 'extract(epoch FROM r.resolved_at - r.created_at)::numeric / 3600';
const figures = `count(*) AS alerts, count(*) FILTER (WHERE r.state = 'OPEN') AS open,
  count(*) FILTER (WHERE r.outcome = 'CONFIRMED') AS confirmed, count(*) FILTER (WHERE r.outcome = 'CLEARED') AS cleared,
  round(100.0 * count(*) FILTER (WHERE r.outcome = 'CONFIRMED')
    / nullif(count(*) FILTER (WHERE r.state = 'RESOLVED'), 0), 2)::text AS precision,
  round(avg(${hours}), 2)::text AS mean,
  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY ${hours}))::numeric, 2)::text AS median`;
const opened = `FROM reviews r WHERE r.psp_id = $1 AND ($2::uuid IS NULL OR r.account_id = $2)
  AND r.created_at >= $3 AND r.created_at < $4`;

const columns = [
  count('alerts', 'Alerts'),
  count('stillOpen', 'Open', (r: { readonly open: number }) => r.open),
  count('confirmed', 'True'),
  count('cleared', 'False'),
  percent('precision', 'True of resolved'),
  decimal('mean', 'Hours to close, mean'),
  decimal('median', 'Hours to close, median'),
] as const;

export const ruleStatisticsReport = reportKind({
  name: 'ruleStatistics',
  title: 'What rules found',
  summary: 'Alerts opened in a month by rule and version: confirmed, cleared, open, and how long they took to close.',
  audience: ['psp', 'operator'],
  parameters: PeriodParameters,
  read: readPeriod,
  async run(run, _: Needs<'reference' | 'rates'>, period) {
    const values = [
      ...[run.psp, run.only ?? null, new Date(period.from).toISOString(), new Date(period.to).toISOString()],
    ];
    const rules = await run.db.query<Line>(
      `SELECT r.rule, r.rule_version AS version, r.severity, ${figures} ${opened}
       GROUP BY r.rule, r.rule_version, r.severity ORDER BY r.rule, r.rule_version NULLS FIRST, r.severity`,
      values,
    );
    run.progress(1, 2);
    const totals = await run.db.query<Omit<Line, 'rule' | 'version'>>(
      `SELECT r.severity, ${figures} ${opened} GROUP BY r.severity ORDER BY r.severity`,
      values,
    );
    run.progress(2, 2);
    return {
      title: said`What rules found for ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      // Alerts of a month are resolved in later months too.
      provisional: period.open || rules.some((r) => r.open > 0),
      sections: [
        section(rules, {
          name: 'byRule',
          title: 'By rule',
          note: 'True: something was wrong (CONFIRMED). False: nothing was (CLEARED).',
          columns: [code('rule', 'Rule'), text('version', 'Version'), code('severity', 'Severity'), ...columns],
          chart: { kind: 'bar', label: 'rule', values: ['alerts'] },
        }),
        section(totals, {
          name: 'bySeverity',
          title: 'By severity',
          columns: [code('severity', 'Severity'), ...columns],
        }),
      ],
    };
  },
});
