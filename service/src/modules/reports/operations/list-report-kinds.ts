import { Named, operation, Type } from '../../kernel/operation.ts';
import { reportKinds } from '../kinds.ts';
import { kindsFor } from '../report-access.ts';

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
        kind: Type.String({ description: 'Name of the kind.' }),
        title: Type.String(),
        summary: Type.String({ description: 'Subject of the report, in a sentence.' }),
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
