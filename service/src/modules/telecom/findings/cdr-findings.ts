// The report of findings for a PSP, on all its operators or one of them: received and missing files, how calls went,
// and what is conspicuous about them.
import { Type } from 'typebox';
import { Refusal } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameter, periodFacts, periodOf, readPeriod } from '../../kernel/report-period.ts';
import { cdrFindings } from './findings.ts';

export const cdrFindingsReport = reportKind({
  name: 'cdrFindings',
  title: 'Findings on call detail records',
  summary:
    'Missing files, duplicates, rejected lines, answers and speech quality, calls between operators held against each other, and indicators of SIM-boxes.',
  audience: ['psp', 'operator'],
  parameters: Type.Object({ period: PeriodParameter }),
  check(asked, s: Needs<'reference' | 'rates'>) {
    const period = readPeriod(s, asked, asked.parameters.period);
    return period instanceof Refusal ? period : undefined;
  },
  async run(run, s: Needs<'reference' | 'rates'>) {
    const period = periodOf(s, run, run.parameters.period);
    return {
      title: `Findings on call detail records of ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      provisional: period.open,
      sections: await cdrFindings({
        db: run.db,
        psp: run.psp,
        only: run.only,
        period,
        progress: (done, of) => run.progress(done, of),
      }),
    };
  },
});
