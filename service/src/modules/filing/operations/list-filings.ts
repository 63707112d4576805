import { orThrow } from '../../../core/refusal.ts';
import { FilingResource } from '../../../entries/filings.ts';
import { clientNames, type HasAccounts, listedClient } from '../../accounts/index.ts';
import { Extended, Id, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { filingResource, listFilings as list } from '../filing-store.ts';
import { filedWithin } from '../overseen-filings.ts';

const ListedFiling = Extended(FilingResource, 'ListedFiling', 'A filed return with the name of its taxpayer.', {
  clientName: Nullable(Type.String(), 'Registered name of the account.'),
});

export const listFilings = operation({
  id: 'listFilings',
  method: 'GET',
  path: '/v1/filings',
  tag: 'Reports',
  summary: 'List returns that were filed',
  description:
    "A PSP's key lists its own returns and those of its clients, a client's key those of the client, an operator's key all; people of an authority see those of their country, on forms of their taxes, of periods within their days.",
  audience: ['psp', 'client', 'operator', 'authority'],
  query: Type.Object({
    ...pageQuery,
    form: Type.Optional(Id('Only of this form.')),
    countryCode: Type.Optional(
      Type.String({ description: 'Only of this country, ISO 3166-1.', minLength: 2, maxLength: 3 }),
    ),
    period: Type.Optional(
      Type.String({ description: 'Only returns of this period, such as `2026-11`.', maxLength: 21 }),
    ),
    ...clientQuery,
  }),
  content: Page(ListedFiling),
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY'],
  async handle(call, s: Needs<'db' | 'reference'> & HasAccounts) {
    const { principal, query: q } = call;
    const { limit, before } = readPage('filing', q);
    const country = orThrow(q.countryCode === undefined ? undefined : s.reference.country(q.countryCode));
    const { view } = principal;
    const within = view && (await filedWithin(s, view));
    const psp = principal.kind === 'operator' || view !== undefined ? undefined : principal.psp;
    const account = await listedClient(s, call, q.clientId);
    const rows = await list(s.db, {
      psp,
      account,
      within,
      form: q.form?.toUpperCase(),
      country: country?.alpha2,
      period: q.period,
      before,
      limit,
    });
    const nameOf = await clientNames(s.db, rows);
    const shown = (f: (typeof rows)[number]) => ({ ...filingResource(f), clientName: nameOf(f) });
    return { message: 'filed returns', content: page('filing', rows, limit, shown) };
  },
});
