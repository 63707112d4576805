// Exclusions and limits in words: what each is, how long it holds, and the button that ends an exclusion.

import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { InForce } from '../../components/in-force.tsx';
import { Money } from '../../components/money.tsx';
import { Stamp } from '../../components/stamp.tsx';
import type { Content } from '../../data/assay.ts';
import { useIsClient, useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

export type Restriction = Content<'listPlayerRestrictions'>['items'][number];

export const kindNames: Readonly<Record<Restriction['kind'], string>> = {
  EXCLUSION: say('Exclusion'),
  DEPOSIT: say('Deposit limit'),
  STAKE: say('Stake limit'),
  LOSS: say('Loss limit'),
};

/** Who asked for it: the player, the operator, or a register by its name. */
export const sourceName = (source: string): string =>
  source === 'PLAYER' ? say('The player') : source === 'OPERATOR' ? say('The operator') : source;

const periods = { DAY: say('a day'), WEEK: say('a week'), MONTH: say('a month') } as const;

export function What({ of }: { readonly of: Restriction }) {
  if (of.kind === 'EXCLUSION') return <>{kindNames.EXCLUSION}</>;
  return (
    <>
      {rich('{kind}: {amount} {period}{later}', {
        kind: kindNames[of.kind],
        amount: <Money amount={of.amount} currency={of.currency} />,
        period: of.period ? periods[of.period] : '',
        later:
          of.pendingAmount !== null && of.pendingFrom !== null ? (
            <Text size="sm" c="dimmed">
              {rich('{pendingAmount} from {pendingFrom}', {
                pendingAmount: <Money amount={of.pendingAmount} currency={of.currency} />,
                pendingFrom: <Stamp at={of.pendingFrom} />,
              })}
            </Text>
          ) : null,
      })}
    </>
  );
}

export const RestrictionState = ({ of }: { readonly of: Restriction }) => (
  <InForce is={of.inForce} tone={of.kind === 'EXCLUSION' ? 'bad' : 'wait'} />
);

/** Ends an exclusion; limits end by setting another one. */
export function EndExclusion({ of }: { readonly of: Restriction }) {
  const may = useMay('endExclusion');
  const isClient = useIsClient();
  const [mistaken, setMistaken] = useState(false);
  const end = useDo('endExclusion', {
    done: (r) => (r.inForce ? say('The exclusion ends on the day that it shows') : say('The exclusion is ended')),
  });
  if (of.kind !== 'EXCLUSION' || !of.inForce || !may) return null;
  const { restrictionId } = of;
  return (
    <ConfirmButton
      label={say('End')}
      question={say('End this exclusion?')}
      reason="required"
      danger
      size="xs"
      onConfirm={(reason) => end.mutateAsync({ restrictionId, reason, ...(mistaken ? { mistaken } : {}) })}
    >
      <Stack gap="sm">
        {say(
          'The player may deposit and bet again at once. But one that the player asked for ends when it says, or after the wait of the country’s law, and one from a register whose law does not let it end early is refused.',
        )}
        {!(isClient && of.source === 'PLAYER') && (
          <Checkbox
            label={say('It was recorded by mistake, as for another person: it ends at once')}
            checked={mistaken}
            onChange={(e) => setMistaken(e.currentTarget.checked)}
          />
        )}
      </Stack>
    </ConfirmButton>
  );
}
