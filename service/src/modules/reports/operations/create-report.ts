import { type TObject, Type } from 'typebox';
import { refuse, said } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import { Id, type Needs, operation } from '../../kernel/operation.ts';
import { keysOf } from '../../kernel/scopes.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { anyParameters, kindNamed, kindNames, reportKinds } from '../kinds.ts';
import { reportedAccount } from '../report-access.ts';
import { parametersOf, requestReport } from '../request.ts';
import { ReportResource, reportResource } from '../resource.ts';
import type { HasReports } from '../runner.ts';

const body: TObject = Type.Object({
  kind: Type.Enum(kindNames, { description: reportKinds.map((k) => `\`${k.name}\`: ${k.summary}`).join(' ') }),
  clientId: Type.Optional(Id("With an operator's key: the PSP or client concerned.")),
  ...anyParameters.properties,
});

export const createReport = operation({
  id: 'createReport',
  method: 'POST',
  path: '/v1/report',
  tag: 'Reports',
  summary: 'Request a report',
  description:
    "The report is made in the background; poll it until it is DONE. With a PSP's key and no x-client-id it covers the PSP and all its clients. If an equal report is already queued or running, that one is returned. listReportKinds has the parameters of each kind.",
  audience: ['psp', 'client', 'operator'],
  standing: 'any',
  roles,
  body,
  content: ReportResource,
  example: { kind: 'chargebacks', period: '2026-10' },
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY', 'ARCHIVED', 'LIMIT_REACHED'],
  async handle(
    call,
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference' | 'rates' | 'subjects'> & HasRateKeeper & HasReports,
  ) {
    const { principal, now } = call;
    const { kind: name, clientId, ...given } = call.body as { kind: string; clientId?: string };
    const kind = kindNamed(name);
    if (!kind?.audience.includes(principal.kind))
      throw refuse('AUDIENCE', said`the report '${name}' is for ${keysOf(kind?.audience ?? [])}`);
    const account = await reportedAccount(s, call, clientId);
    const parameters = parametersOf(kind, given);
    const { report, known } = await requestReport(s, principal, kind, account, parameters, now);
    return {
      message: known ? 'an equal report is being made already' : 'report queued',
      content: reportResource(report, now),
      replayed: known,
    };
  },
});
