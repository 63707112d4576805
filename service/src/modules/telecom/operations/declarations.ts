// What operators declared to their authority: recording a declaration, the list, one with its lines.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import { concernedAccount, type HasAccounts, listedAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { PeriodParameter } from '../../kernel/report-period.ts';
import { findDeclaration, listDeclarations as list } from '../declared/declaration-store.ts';
import { declaring } from '../declared/declare.ts';
import {
  DeclarationBody,
  DeclarationDetail,
  DeclarationResource,
  declarationDetail,
  declarationResource,
} from '../declared/schemas.ts';

export const declareCdr = operation({
  id: 'declareCdr',
  method: 'POST',
  path: '/v1/telecom/declaration',
  tag: 'Telecom',
  summary: 'Record what was declared to the authority for a month',
  description:
    'Figures by class, tax and currency. The report cdrTax compares them with those computed from the records. Sending equal figures again changes nothing (UNCHANGED); different figures supersede the previous declaration, which is kept.',
  audience: ['psp', 'client'],
  largeBody: true,
  body: DeclarationBody,
  content: Named('CallDeclarationReceipt', 'The declaration that was recorded.', {
    declarationId: Type.String(),
    period: Type.String(),
    revision: Type.Integer(),
    status: Type.Enum(['DECLARED', 'SUPERSEDED', 'UNCHANGED']),
  }),
  example: {
    period: '2026-10',
    lines: [
      {
        class: 'ONNET',
        taxCode: 'VAT',
        records: 120034,
        minutes: 301127.5,
        gross: 4516912.5,
        taxable: 4516912.5,
        tax: 338768.44,
        currency: 'NGN',
      },
      { class: 'SMS', records: 50211, gross: 200844, currency: 'NGN' },
    ],
  },
  refusals: ['NOT_FOUND', 'UNKNOWN_CURRENCY'],
  async handle(
    { principal, onBehalfOf, body, now },
    s: Needs<'ids' | 'committer' | 'reference' | 'rates'> & HasAccounts,
  ) {
    const account = concernedAccount(principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    return s.committer.submit(declaring(s, principal, { psp: principal.psp, account }, body, now));
  },
});

export const listCdrDeclarations = operation({
  id: 'listCdrDeclarations',
  method: 'GET',
  path: '/v1/telecom/declaration',
  tag: 'Telecom',
  summary: 'List declarations, superseded ones included',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, period: Type.Optional(PeriodParameter) }),
  content: Page(DeclarationResource),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, query }, s: Needs<'db'> & HasAccounts) {
    const { limit, before } = readPage('declaration', query);
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const rows = await list(s.db, { psp: principal.psp, account, period: query.period, before, limit });
    return { message: 'declarations', content: page('declaration', rows, limit, declarationResource) };
  },
});

export const getCdrDeclaration = operation({
  id: 'getCdrDeclaration',
  method: 'GET',
  path: '/v1/telecom/declaration/:declarationId',
  tag: 'Telecom',
  summary: 'A declaration with its lines',
  audience: ['psp', 'client'],
  content: DeclarationDetail,
  refusals: ['NOT_FOUND'],
  async handle({ principal, params }, s: Needs<'db'>) {
    const id = fromWire('declaration', params.declarationId ?? '');
    const found = id && (await findDeclaration(s.db, principal.psp, id));
    if (!found || (principal.kind === 'client' && found.account !== principal.account)) throw notFound();
    return { message: 'declaration found', content: declarationDetail(found) };
  },
});
