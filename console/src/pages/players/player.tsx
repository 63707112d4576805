// One player, found by what they are known by: what restricts them, and what they deposited, staked, won and withdrew.

import type { Input } from '@assay/client';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { EndExclusion, RestrictionState, sourceName, What } from './restrictions.tsx';
import { type Named, nobody, PlayerFields, subjectsOf } from './subjects.tsx';

export function OnePlayer() {
  const [named, setNamed] = useState<Named>(nobody);
  const [asked, setAsked] = useState<Input<'getPlayer'>>();
  const enabled = asked !== undefined;
  const player = useOp('getPlayer', asked ?? { subjects: [] }, { enabled });
  const sums = useOp('playerBalance', asked ?? { subjects: [] }, { enabled });
  return (
    <Panel title={say('One player')}>
      <Box
        component="form"
        role="search"
        aria-label={say('One player')}
        onSubmit={(e) => {
          e.preventDefault();
          const subjects = subjectsOf(named);
          setAsked(subjects.length > 0 ? { subjects } : undefined);
        }}
      >
        <Group align="flex-end" gap="sm" mb="md">
          <PlayerFields value={named} onChange={setNamed} />
          <Button type="submit">{say('Look up')}</Button>
        </Group>
      </Box>
      {player.error ? <Problem error={player.error} /> : null}
      {!enabled || player.data === undefined ? null : (
        <Stack>
          <Facts
            items={[
              [
                say('Gambling'),
                <StatusBadge
                  key="s"
                  status={player.data.excluded ? 'EXCLUDED' : 'NOT_EXCLUDED'}
                  tone={player.data.excluded ? 'bad' : 'good'}
                />,
              ],
            ]}
          />
          <DataTable
            label={say('Of this player')}
            pages={{ rows: player.data.restrictions }}
            rowKey={(r) => r.restrictionId}
            empty={
              <Empty title={say('Nothing restricts this player')}>{say('No exclusion and no limit names them.')}</Empty>
            }
            columns={[
              { key: 'what', header: say('What'), cell: (r) => <What of={r} /> },
              moneyColumn('used', say('Used')),
              { key: 'state', header: say('State'), cell: (r) => <RestrictionState of={r} /> },
              { key: 'source', header: say('Asked by'), cell: (r) => sourceName(r.source) },
              {
                key: 'until',
                header: say('Until'),
                cell: (r) => (r.until === null ? say('No end') : <Stamp at={r.until} />),
              },
              { key: 'end', header: '', cell: (r) => <EndExclusion of={r} /> },
            ]}
          />
          <Balances of={sums.data} />
        </Stack>
      )}
    </Panel>
  );
}

function Balances({ of }: { readonly of: Content<'playerBalance'> | undefined }) {
  if (of === undefined) return null;
  if (of.balances.length === 0) return <Text size="sm">{say('No payment or wager names this player.')}</Text>;
  return of.balances.map((b) => (
    <Facts
      key={b.currency}
      columns={2}
      items={[
        [
          say('Deposits ({deposits})', { deposits: b.deposits }),
          <Money key="d" amount={b.deposited} currency={b.currency} />,
        ],
        [say('Wagers ({wagers})', { wagers: b.wagers }), <Money key="w" amount={b.staked} currency={b.currency} />],
        [
          say('Payouts ({payouts})', { payouts: b.payouts }),
          <Money key="p" amount={b.paidOut} currency={b.currency} />,
        ],
        [
          say('Withdrawals ({withdrawals})', { withdrawals: b.withdrawals }),
          <Money key="o" amount={b.withdrawn} currency={b.currency} />,
        ],
        [say('Lost'), <Money key="l" amount={b.lost} currency={b.currency} />],
        [say('Balance'), <Money key="b" amount={b.balance} currency={b.currency} strong />],
      ]}
    />
  ));
}
