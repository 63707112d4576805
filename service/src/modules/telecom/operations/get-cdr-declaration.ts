// GET /v1/telecom/declaration/:declarationId: a declaration with its lines.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
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
  async handle({ principal, params }, s: Needs<'db'>) {
    const id = fromWire('declaration', params.declarationId ?? '');
    const found = id && (await findDeclaration(s.db, principal.psp, id));
    if (!found || (principal.kind === 'client' && found.account !== principal.account)) throw notFound();
    return { message: 'declaration found', content: declarationDetail(found) };
  },
});
