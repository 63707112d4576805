// The state of a review in one word: open, assigned, or its outcome.

import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { say } from '../../words/words.ts';

export type Review = Content<'getReview'>;

export function ReviewBadge({ review: r }: { readonly review: Pick<Review, 'state' | 'assignee' | 'outcome'> }) {
  if (r.state === 'RESOLVED') return <StatusBadge status={r.outcome} />;
  return r.assignee ? <StatusBadge status="ASSIGNED" label={say('Assigned')} /> : <StatusBadge status="OPEN" />;
}
