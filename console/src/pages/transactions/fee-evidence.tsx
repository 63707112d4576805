// The fee schedule row that set the processing fee.

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { percent } from '../../data/amounts.ts';
import { say } from '../../words/words.ts';
import type { FeeEvidence as Fee } from './parts.ts';

export function FeeEvidence({ fee, currency }: { readonly fee: Fee; readonly currency: string }) {
  const limit = (amount: string | null) => <Money amount={amount} currency={fee.currency} />;
  return (
    <Facts
      items={[
        [say('Processing fee'), <Money key="fee" amount={fee.processingFee} currency={currency} strong />],
        [say('Rate'), fee.percent === null ? null : say('{percent} of the gross', { percent: percent(fee.percent) })],
        fee.fixed !== null && [say('Fixed part'), limit(fee.fixed)],
        fee.min !== null && [say('At least'), limit(fee.min)],
        fee.max !== null && [say('At most'), limit(fee.max)],
        [
          say('Fee row'),
          fee.feeId && (
            <Anchor component={Link} to={`/transactions?fee=${encodeURIComponent(fee.feeId)}`} inherit>
              {fee.feeId}
            </Anchor>
          ),
        ],
        [say('Agreed for'), fee.ofThisPsp ? say('this PSP alone') : say('every PSP')],
        [say('In force from'), fee.validFrom],
      ]}
    />
  );
}
