// Resolves a review: its outcome and the reason.

import { OutcomeForm } from '../../components/outcome-form.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import type { Review } from './state.tsx';

export function Resolve({ review: { reviewId } }: { readonly review: Review }) {
  const resolve = useDo('resolveReview', {
    done: (c) => (c.outcome === 'CLEARED' ? say('Resolved: nothing is wrong') : say('Resolved: something is wrong')),
    asOperator: true,
  });
  return (
    <OutcomeForm
      title={say('Resolve')}
      kept={say('Kept in the journal in clear: name no persons in it.')}
      longest={2000}
      action={say('Resolve')}
      pending={resolve.isPending}
      onSubmit={(outcome, note) => resolve.mutate({ reviewId, outcome, note })}
    />
  );
}
