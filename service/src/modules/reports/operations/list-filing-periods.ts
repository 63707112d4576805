import { returnStates } from '../../../core/filing/calendar.ts';
import { shopForm } from '../../../core/filing/one-stop-shop.ts';
import { accountWire, toWire } from '../../../core/ids.ts';
import { notFound, orThrow, Refusal } from '../../../core/refusal.ts';
import { plain } from '../../../core/sums.ts';
import { concernedAccount, findAccount } from '../../accounts/index.ts';
import { filingKind, oneStopShopKind, type ReturnToFile, readCalendar } from '../../filing/index.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { latestReports } from '../report-store.ts';
import { filedAs, ReportFiled } from '../resource.ts';

const FilingPeriodResource = Named('FilingPeriod', 'A period of a form, and whether its return was filed.', {
  form: Type.String({ description: 'The form, as listFilingForms names it, or `EU-OSS`.' }),
  countryCode: Type.String(),
  title: Type.String({ description: 'Title of the form in its own language.' }),
  english: Nullable(Type.String({ description: 'Its title in English; null if it is English.' })),
  authority: Type.String({ description: 'The authority that receives it.' }),
  clientId: Type.String({ description: 'The taxpayer: a client, or a PSP with all its clients.' }),
  period: Type.String({
    description: 'Its name: the parameter `period` of the report filing, or `quarter` of oneStopShop.',
  }),
  firstDay: Type.String({ description: 'First day of the period, `YYYY-MM-DD`.' }),
  lastDay: Type.String({ description: 'Last day of the period, `YYYY-MM-DD`.' }),
  dueOn: Type.String({ description: 'Day on which its return is due; weekends and holidays do not move it.' }),
  state: Type.Enum(returnStates, {
    description:
      '`OVERDUE`: not filed, and the due day is past; `DUE`: the period has ended; `OPEN`: it has not; `FILED`.',
  }),
  hasRecords: Type.Boolean({ description: 'Whether taxes of the form were recorded in it.' }),
  reportId: Nullable(Type.String(), 'The return that was filed, else the last one made; null if none was made.'),
  currency: Type.String(),
  payable: Nullable(Type.String(), 'The tax to pay as filed, exact decimal text; null before.'),
  filed: Nullable(ReportFiled, 'The return as it was filed; null if it was not filed.'),
});

export const listFilingPeriods = operation({
  id: 'listFilingPeriods',
  method: 'GET',
  path: '/v1/filing-periods',
  tag: 'Reports',
  summary: 'List what is to be filed and when',
  description:
    'Periods of forms in the last 400 days, since the registration of the account, overdue ones first, at the rhythm of the last return filed, else the usual one. Forms of taxes other than on sales begin with what was recorded or filed, unless `form` names them. The one-stop shop of the EU (`EU-OSS`) is among them for sales from a Member State in others, or once one was filed; from then on it replaces returns of states where the account is not registered.',
  audience: ['psp', 'client'],
  query: Type.Object({
    countryCode: Type.Optional(
      Type.String({
        description: 'ISO 3166-1 code of the country; without it, the countries with recorded taxes.',
        minLength: 2,
        maxLength: 3,
      }),
    ),
    form: Type.Optional(Type.String({ description: 'Only of this form.', minLength: 1, maxLength: 64 })),
  }),
  content: Named('FilingPeriodList', 'The periods.', { items: Type.Array(FilingPeriodResource) }),
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY'],
  async handle({ principal, onBehalfOf, query, now }, s: Needs<'db' | 'reference' | 'rates'>) {
    const { psp } = principal;
    const country = orThrow(query.countryCode === undefined ? undefined : s.reference.country(query.countryCode));
    const id = concernedAccount(principal, onBehalfOf);
    const account = id instanceof Refusal ? undefined : await findAccount(s.db, psp, id);
    if (!account) throw notFound();
    const of = { psp, account, country: country?.alpha2, form: query.form };
    const returns = await readCalendar(s.db, s, of, now);
    const made = await latestReports(s.db, { psp, account: account.id, kind: filingKind });
    const quarters = await latestReports(s.db, { psp, account: account.id, kind: oneStopShopKind });
    const reportOf = ({ form, period }: ReturnToFile) =>
      (form.form === shopForm
        ? quarters.find((r) => r.parameters.quarter === period.name)
        : made.find((r) => r.parameters.form === form.form && r.parameters.period === period.name)
      )?.id;
    const items = returns.map((r) => resource(r, accountWire(psp, account.id), r.filed?.report ?? reportOf(r)));
    return { message: 'periods', content: { items } };
  },
});

function resource(r: ReturnToFile, clientId: string, report: string | undefined) {
  const { form, country } = r;
  return {
    form: form.form,
    countryCode: country,
    title: form.title,
    english: form.english ?? null,
    authority: form.authority,
    clientId,
    period: r.period.name,
    firstDay: r.period.first,
    lastDay: r.period.last,
    dueOn: r.period.dueOn,
    state: r.state,
    hasRecords: r.hasRecords,
    reportId: report === undefined ? null : toWire('report', report),
    currency: form.currency,
    payable: r.filed === undefined ? null : plain(r.filed.payable),
    filed: r.filed === undefined ? null : filedAs(r.filed),
  };
}
