// The fee schedule row that set the processing fee.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import type { FeeEvidence as Fee } from './parts.ts';

export function FeeEvidence({ fee, currency }: { readonly fee: Fee; readonly currency: string }) {
  const limit = (amount: string | null) => <Money amount={amount} currency={fee.currency} />;
  return (
    <Facts
      items={[
        ['Processing fee', <Money key="fee" amount={fee.processingFee} currency={currency} strong />],
        ['Rate', fee.percent === null ? null : `${fee.percent}% of the gross`],
        fee.fixed !== null && ['Fixed part', limit(fee.fixed)],
        fee.min !== null && ['At least', limit(fee.min)],
        fee.max !== null && ['At most', limit(fee.max)],
        [
          'Fee row',
          fee.feeId && (
            <Anchor component={Link} to={`/transactions?fee=${encodeURIComponent(fee.feeId)}`} inherit>
              {fee.feeId}
            </Anchor>
          ),
        ],
        ['Agreed for', fee.ofThisPsp ? 'this PSP alone' : 'every PSP'],
        ['In force from', fee.validFrom],
      ]}
    />
  );
}
