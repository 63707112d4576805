import { ownRecordAsked } from '../../kernel/asked.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { findDeclaration } from '../declared/declaration-store.ts';
import { DeclarationDetail, declarationDetail } from '../declared/schemas.ts';

export const getCdrDeclaration = operation({
  id: 'getCdrDeclaration',
  method: 'GET',
  path: '/v1/telecom/declaration/:declarationId',
  tag: 'Telecom',
  summary: 'A declaration with its lines',
  audience: ['psp', 'client'],
  content: DeclarationDetail,
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, params }, s: Needs<'db'>) {
    const found = await ownRecordAsked({ principal, onBehalfOf }, 'declaration', params.declarationId, (id) =>
      findDeclaration(s.db, principal.psp, id),
    );
    return { message: 'declaration found', content: declarationDetail(found) };
  },
});
