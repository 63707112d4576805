import { refuse, said } from '../../../core/refusal.ts';
import { FilingResource } from '../../../entries/filings.ts';
import { fileReturn as file, filingKind, filingResource, oneStopShopKind } from '../../filing/index.ts';
import { Day, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { reportOf } from '../report-access.ts';
import { documentOf } from '../report-download.ts';

export const fileReturn = operation({
  id: 'fileReturn',
  method: 'POST',
  path: '/v1/report/:reportId/filed',
  tag: 'Reports',
  summary: 'Record that a return was filed',
  description:
    'The report filing, or oneStopShop, with the figures it has, becomes the return of its form and period. Nothing is sent to the authority. Later changes of the period are corrections in the next return; a second return of the same days is refused.',
  audience: ['psp', 'operator'],
  idempotent: true,
  body: Type.Object({
    reference: Text("The authority's reference of the return.", 200),
    filedOn: Day('Day on which it was filed, `YYYY-MM-DD`.'),
  }),
  content: FilingResource,
  example: { reference: 'HMRC-2026-0001', filedOn: '2026-11-05' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'reference' | 'rates'>) {
    const { principal, body, now } = call;
    const report = await reportOf(s, call);
    if (report.kind !== filingKind && report.kind !== oneStopShopKind)
      throw refuse(
        'STATE_CONFLICT',
        said`the report is of the kind '${report.kind}'; only '${filingKind}' and '${oneStopShopKind}' are returns`,
      );
    const { content: document, sha256 } = await documentOf(s.db, report, 'json');
    if (report.provisional !== false || report.asOfSeq === null)
      throw refuse(
        'STATE_CONFLICT',
        'the report is provisional: its period had not ended, or records were not counted yet; run it again when they are',
      );
    const { psp, account, id, kind, parameters, asOfSeq } = report;
    const filed = { psp, account, id, kind, parameters, asOfSeq, document, sha256 };
    const { filing, known } = await file(s, principal, filed, body, now);
    return { message: known ? 'filed before' : 'filed', content: filingResource(filing), replayed: known };
  },
});
