// One player, found by what they are known by: what restricts them, and what they deposited, staked, won and withdrew.
import type { Input } from '@assay/client';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useOp } from '../../data/use-op.ts';
import { EndExclusion, InForce, sourceName, What } from './restrictions.tsx';
import { type Named, nobody, PlayerFields, subjectsOf } from './subjects.tsx';

export function OnePlayer() {
  const [named, setNamed] = useState<Named>(nobody);
  const [asked, setAsked] = useState<Input<'getPlayer'>>();
  const enabled = asked !== undefined;
  const player = useOp('getPlayer', asked ?? { subjects: [] }, { enabled });
  const sums = useOp('playerBalance', asked ?? { subjects: [] }, { enabled });
  return (
    <Panel title="One player">
      <Box
        component="form"
        role="search"
        aria-label="One player"
        onSubmit={(e) => {
          e.preventDefault();
          const subjects = subjectsOf(named);
          setAsked(subjects.length > 0 ? { subjects } : undefined);
        }}
      >
        <Group align="flex-end" gap="sm" mb="md">
          <PlayerFields value={named} onChange={setNamed} />
          <Button type="submit">Look up</Button>
        </Group>
      </Box>
      {player.error ? <Problem error={player.error} /> : null}
      {!enabled || player.data === undefined ? null : (
        <Stack>
          <Facts
            items={[
              [
                'Gambling',
                <StatusBadge
                  key="s"
                  status={player.data.excluded ? 'EXCLUDED' : 'NOT_EXCLUDED'}
                  tone={player.data.excluded ? 'bad' : 'good'}
                />,
              ],
            ]}
          />
          <DataTable
            label="Of this player"
            pages={{ rows: player.data.restrictions }}
            rowKey={(r) => r.restrictionId}
            empty={<Empty title="Nothing restricts this player">No exclusion and no limit names them.</Empty>}
            columns={[
              { key: 'what', header: 'What', cell: (r) => <What of={r} /> },
              {
                key: 'used',
                header: 'Used',
                align: 'right',
                cell: (r) => <Money amount={r.used} currency={r.currency} />,
              },
              { key: 'state', header: 'State', cell: (r) => <InForce of={r} /> },
              { key: 'source', header: 'Asked by', cell: (r) => sourceName(r.source) },
              { key: 'until', header: 'Until', cell: (r) => (r.until === null ? 'No end' : <Stamp at={r.until} />) },
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
  if (of.balances.length === 0) return <Text size="sm">No payment or wager names this player.</Text>;
  return of.balances.map((b) => (
    <Facts
      key={b.currency}
      columns={2}
      items={[
        [`Deposits (${b.deposits})`, <Money key="d" amount={b.deposited} currency={b.currency} />],
        [`Wagers (${b.wagers})`, <Money key="w" amount={b.staked} currency={b.currency} />],
        [`Payouts (${b.payouts})`, <Money key="p" amount={b.paidOut} currency={b.currency} />],
        [`Withdrawals (${b.withdrawals})`, <Money key="o" amount={b.withdrawn} currency={b.currency} />],
        ['Lost', <Money key="l" amount={b.lost} currency={b.currency} />],
        ['Balance', <Money key="b" amount={b.balance} currency={b.currency} strong />],
      ]}
    />
  ));
}
