// The risk policy of a PSP as returned.
import { Type } from 'typebox';
import { type PspId, toWire } from '../../core/ids.ts';
import { Named, Nullable } from '../kernel/operation.ts';
import type { RiskPolicy } from './book-store.ts';

export const RiskPolicyResource = Named(
  'RiskPolicy',
  'The rules that decline records of a PSP, and those that put its clients or wallets on hold.',
  {
    pspId: Type.String(),
    version: Type.Integer({ description: 'Counts the changes of the policy; 0 before the first.' }),
    declining: Type.Array(Type.String(), { description: 'Ids of the rules that decline.' }),
    holding: Type.Array(Type.String(), { description: 'Ids of the rules that put clients or wallets on hold.' }),
    reason: Nullable(Type.String(), 'Why it was changed last; null before the first change.'),
    setBy: Nullable(Type.String(), 'The person or key that changed it last: `usr_…`, `key_…`.'),
    changedAt: Nullable(Type.String(), 'When it was changed last, ISO 8601 UTC.'),
  },
);

export const riskPolicyState = (psp: PspId, p: RiskPolicy | undefined) => [psp, p?.version ?? 0];

export const riskPolicyResource = (psp: PspId, p: RiskPolicy | undefined) => ({
  pspId: toWire('psp', psp),
  version: p?.version ?? 0,
  declining: p?.declining ?? [],
  holding: p?.holding ?? [],
  reason: p?.reason ?? null,
  setBy: p?.setBy ?? null,
  changedAt: p?.createdAt ?? null,
});
