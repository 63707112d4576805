import { orThrow } from '../../../core/refusal.ts';
import { concernedAccount, type HasAccounts } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { declaring } from '../declared/declare.ts';
import { DeclarationBody } from '../declared/schemas.ts';

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
    status: Type.Enum(['DECLARED', 'SUPERSEDED', 'UNCHANGED'], {
      description:
        'DECLARED: the first of the month. SUPERSEDED: it replaces an earlier one. UNCHANGED: the figures are equal.',
    }),
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
    const account = orThrow(concernedAccount(principal, onBehalfOf));
    return s.committer.submit(declaring(s, principal, { psp: principal.psp, account }, body, now));
  },
});
