// Whether a hold, exclusion or limit is in force.

import { say } from '../words/words.ts';
import { StatusBadge } from './status-badge.tsx';

export function InForce({ is, tone = 'bad' }: { readonly is: boolean; readonly tone?: 'bad' | 'wait' }) {
  return is ? (
    <StatusBadge status="IN_FORCE" tone={tone} label={say('In force')} />
  ) : (
    <StatusBadge status="NOT_IN_FORCE" tone="quiet" />
  );
}
