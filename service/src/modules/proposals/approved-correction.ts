// Corrections by two people: what was proposed, and whether a call makes exactly what was approved.
import { phrase, refuse, said } from '../../core/refusal.ts';
import { canonical } from '../../core/request.ts';
import type { Database } from '../../platform/database.ts';
import { recordAsked } from '../kernel/asked.ts';
import { findProposal, type Subject } from './proposal-store.ts';

/** In the form correctRates takes. */
export interface CorrectionAsked {
  readonly clientId: string;
  readonly countryCode: string;
  readonly from: string;
  readonly to: string;
  readonly rule?: string;
}

/** The fields of a correction as canonical text, for comparison. */
export const correctionText = ({ clientId, countryCode, from, to, rule }: CorrectionAsked): string =>
  canonical({ clientId, countryCode, from, to, rule });

export const correctionSubject = (c: CorrectionAsked): Subject => ({
  kind: 'CORRECTION',
  subject: [c.countryCode, c.clientId, c.from, c.to, ...(c.rule === undefined ? [] : [c.rule])].join(' '),
});

/** @throws NOT_FOUND, STATE_CONFLICT unless this correction was approved */
export async function expectApproved(db: Database, proposalId: string, asked: CorrectionAsked): Promise<void> {
  const p = await recordAsked('proposal', proposalId, (id) => findProposal(db, id));
  if (p.kind !== 'CORRECTION' || p.content !== correctionText(asked))
    throw refuse('STATE_CONFLICT', said`${proposalId} proposes something else; the call must say what was proposed`);
  if (p.state !== 'APPROVED')
    throw refuse('STATE_CONFLICT', said`${proposalId} is ${phrase(p.state)}; it must be approved first`);
}
