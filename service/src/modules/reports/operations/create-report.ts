// Requests a report, or a new revision of one. The reply contains its id at once; it is made in the background.
import { type TObject, Type } from 'typebox';
import { refuse } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { anyParameters, kindNamed, kindNames, reportKinds } from '../kinds.ts';
import { kindsFor, reportedAccount, reportOf } from '../reach.ts';
import { parametersOf, requestReport, rerunReport } from '../request.ts';
import { ReportResource, reportResource } from '../resource.ts';
import type { HasReports } from '../runner.ts';

const body: TObject = Type.Object({
  kind: Type.Enum([...kindNames], { description: reportKinds.map((k) => `\`${k.name}\`: ${k.summary}`).join(' ') }),
  clientId: Type.Optional(
    Type.String({ description: "With an operator's key: the PSP or client concerned.", maxLength: 64 }),
  ),
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
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY', 'LIMIT_REACHED'],
  async handle(
    call,
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference' | 'rates' | 'subjects'> & HasRateKeeper & HasReports,
  ) {
    const { principal, now } = call;
    const { kind: name, clientId, ...given } = call.body as { kind: string; clientId?: string };
    const kind = kindNamed(name);
    if (!kind?.audience.includes(principal.kind))
      throw refuse('AUDIENCE', `the report '${name}' is for ${kind?.audience.map((a) => `a ${a}'s key`).join(' or ')}`);
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

export const rerunReportById = operation({
  id: 'rerunReport',
  method: 'POST',
  path: '/v1/report/:reportId/rerun',
  tag: 'Reports',
  summary: 'Make a further revision of a report',
  description:
    'Runs the report with the same parameters over the records of today. Earlier revisions are kept; the new one lists what changed.',
  audience: ['psp', 'client', 'operator'],
  standing: 'any',
  roles,
  content: ReportResource,
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasReports) {
    const { principal, now } = call;
    const report = await rerunReport(s, principal, await reportOf(s, call), now);
    return { message: 'revision queued', content: reportResource(report, now) };
  },
});

export const listReportKinds = operation({
  id: 'listReportKinds',
  method: 'GET',
  path: '/v1/report/kinds',
  tag: 'Reports',
  summary: 'Kinds of report this key may request, with their parameters',
  audience: ['psp', 'client', 'operator'],
  content: Named('ReportKindList', 'The kinds of report.', {
    items: Type.Array(
      Named('ReportKind', 'A kind of report and its parameters.', {
        kind: Type.String(),
        title: Type.String(),
        summary: Type.String(),
        parameters: Type.Object({}, { additionalProperties: true, description: 'A JSON schema.' }),
      }),
    ),
  }),
  async handle({ principal }) {
    const names = kindsFor(principal);
    const items = reportKinds
      .filter((k) => names.includes(k.name))
      .map((k) => ({ kind: k.name, title: k.title, summary: k.summary, parameters: k.parameters }));
    return { message: 'kinds of report', content: { items } };
  },
});
