// The report of findings for a PSP, on all its operators or one of them: received and missing files, how calls went,
// and what is conspicuous about them.
import { said } from '../../../core/said.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameters, periodFacts, readPeriod } from '../../kernel/report-period.ts';
import { cdrFindings } from './findings.ts';

export const cdrFindingsReport = reportKind({
  name: 'cdrFindings',
  title: 'Findings on call detail records',
  summary:
    'Missing files, duplicates, rejected lines, answers and speech quality, calls between operators held against each other, and indicators of SIM-boxes.',
  audience: ['psp', 'operator'],
  parameters: PeriodParameters,
  read: readPeriod,
  async run(run, _, period) {
    return {
      title: said`Findings on call detail records of ${run.concerned.name}, ${period.name}`,
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
