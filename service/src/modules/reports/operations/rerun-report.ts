import { roles } from '../../../core/roles.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { reportOf } from '../report-access.ts';
import { rerunReport as rerun } from '../request.ts';
import { ReportResource, reportResource } from '../resource.ts';
import type { HasReports } from '../runner.ts';

export const rerunReport = operation({
  id: 'rerunReport',
  method: 'POST',
  path: '/v1/report/:reportId/rerun',
  tag: 'Reports',
  summary: 'Make a further revision of a report',
  description:
    'Runs the report again over the records of today. Earlier revisions are kept; the new one lists what changed.',
  audience: ['psp', 'client', 'operator'],
  standing: 'any',
  roles,
  content: ReportResource,
  refusals: ['NOT_FOUND', 'ARCHIVED', 'STATE_CONFLICT', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasReports) {
    const { principal, now } = call;
    const report = await rerun(s, principal, await reportOf(s, call), now);
    return { message: 'revision queued', content: reportResource(report, now) };
  },
});
