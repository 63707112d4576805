// Actions on a transaction: decline it, charge it back, open a review.

import { useNavigate } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Money } from '../../components/money.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { useIsClient, useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import type { Transaction } from './split.ts';

export function Actions({ transaction: t }: { readonly transaction: Transaction }) {
  const administers = useMay('declineTransaction');
  const isClient = useIsClient();
  const reviews = useMay('openReview');
  const clientId = isIdOf('client', t.clientId) ? t.clientId : undefined;
  const decline = useDo('declineTransaction', { done: say('The transaction is declined'), clientId });
  const chargeBack = useDo('chargeBack', { done: say('The chargeback is recorded'), clientId });
  const open = useDo('openReview', { done: say('A review is open') });
  const navigate = useNavigate();
  const { ref } = t;
  return (
    <>
      {reviews ? (
        <ConfirmButton
          label={say('Open a review')}
          question={say('Should somebody look at this transaction?')}
          reason="required"
          onConfirm={async (reason) => {
            const review = await open.mutateAsync({ transactionId: t.transactionId, reason });
            await navigate({ to: `/reviews/${review.reviewId}` });
          }}
        >
          {say('It appears in the queue of reviews. The transaction itself stays as it is.')}
        </ConfirmButton>
      ) : null}
      {administers && ref !== null && t.status === 'APPROVED' && !t.chargeback ? (
        <>
          {isClient ? null : (
            <ConfirmButton
              label={say('Charge back')}
              question={say('Record a chargeback of {ref}?', { ref })}
              danger
              onConfirm={() => chargeBack.mutateAsync({ ref })}
            >
              {rich(
                '{totalAmount} went back to the customer. What was settled is subtracted from later settlements. A transaction has at most one chargeback, and it cannot be undone.',
                { totalAmount: <Money amount={t.totalAmount} currency={t.currency} strong /> },
              )}
            </ConfirmButton>
          )}
          <ConfirmButton
            label={say('Decline')}
            question={say('Decline {ref}?', { ref })}
            danger
            onConfirm={() => decline.mutateAsync({ ref })}
          >
            {say(
              'The PSP did not process it: it is no longer counted, and its basket is cancelled. Verified again under the same ref, it is decided again.',
            )}
          </ConfirmButton>
        </>
      ) : null}
    </>
  );
}
