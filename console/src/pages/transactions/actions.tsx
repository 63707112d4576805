// Actions on a transaction: decline it, charge it back, open a review.
import { useNavigate } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Money } from '../../components/money.tsx';
import { useIsClient, useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import type { Transaction } from './split.ts';

export function Actions({ transaction: t }: { readonly transaction: Transaction }) {
  const administers = useMay('administrator');
  const isClient = useIsClient();
  const reviews = useMay('administrator', 'reviewer') && !isClient;
  const clientId = t.clientId.startsWith('cli_') ? t.clientId : undefined;
  const decline = useDo('declineTransaction', { done: 'The transaction is declined', clientId });
  const chargeBack = useDo('chargeBack', { done: 'The chargeback is recorded', clientId });
  const open = useDo('openReview', { done: 'A review is open' });
  const navigate = useNavigate();
  const { ref } = t;
  return (
    <>
      {reviews ? (
        <ConfirmButton
          label="Open a review"
          question="Should somebody look at this transaction?"
          reason="required"
          onConfirm={async (reason) => {
            const review = await open.mutateAsync({ transactionId: t.transactionId, reason });
            await navigate({ to: `/reviews/${review.reviewId}` });
          }}
        >
          It appears in the queue of reviews. The transaction itself stays as it is.
        </ConfirmButton>
      ) : null}
      {administers && ref !== null && t.status === 'APPROVED' && !t.chargeback ? (
        <>
          {isClient ? null : (
            <ConfirmButton
              label="Charge back"
              question={`Record a chargeback of ${ref}?`}
              danger
              onConfirm={() => chargeBack.mutateAsync({ ref })}
            >
              <Money amount={t.totalAmount} currency={t.currency} strong /> went back to the customer. What was settled
              is subtracted from later settlements. A transaction has at most one chargeback, and it cannot be undone.
            </ConfirmButton>
          )}
          <ConfirmButton
            label="Decline"
            question={`Decline ${ref}?`}
            danger
            onConfirm={() => decline.mutateAsync({ ref })}
          >
            The PSP did not process it: it is no longer counted, and its basket is cancelled. Verified again under the
            same ref, it is decided again.
          </ConfirmButton>
        </>
      ) : null}
    </>
  );
}
