// The canonical request of a submission, by which a repetition is known; personal fields are keyed hashes in it.
import { canonical } from '../../core/request.ts';
import { blinded } from '../kernel/as-submitted.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import type { Submission } from './read-submission.ts';

export function canonicalRequest(s: Needs<'vault'>, call: Call, sub: Submission): string {
  const plain: Record<string, unknown> = { operation: sub.kind };
  const body = call.body as Record<string, unknown>;
  for (const f of sub.fields) if (body[f] !== undefined) plain[f] = body[f];
  return canonical(blinded(s.vault, plain, Object.keys(sub.personal?.data ?? {})));
}
