// Matches of clients, customers and wallets with entries of lists, newest first, and the dialog of one.

import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { inCapitals, TextFilter } from '../../components/text-filter.tsx';
import { percent } from '../../data/amounts.ts';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { usePsps } from '../../data/psps.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { MatchDialog } from './match.tsx';
import { type Match, matchedKinds } from './words.ts';

const states = [
  { value: 'OPEN', label: say('Open') },
  { value: 'EXCEPTED', label: say('Excepted') },
  { value: 'ENDED', label: say('Ended') },
];
const tones = { OPEN: 'bad', EXCEPTED: 'good', ENDED: 'quiet' } as const;

export function MatchBadge({ of: m }: { readonly of: Match }) {
  return <StatusBadge status={m.state} tone={tones[m.state]} />;
}

export function Matches() {
  const [filters, setFilters] = useFilters();
  const [looked, setLooked] = useState<string>();
  const { isOperator, pspId } = usePsp();
  const { data: psps } = usePsps();
  const overAll = isOperator && !pspId;
  const { state, list, clientId, matchId } = filters;
  const pages = usePages('listMatches', { state: state as Match['state'], list, clientId });
  // Also one that a link of an alert names and that is on no page read so far.
  const asked = looked ?? matchId;
  const { data: shown } = useOp('getMatch', { matchId: asked ?? '' }, { enabled: asked !== undefined });
  function close() {
    setLooked(undefined);
    if (matchId) setFilters({ matchId: undefined });
  }
  return (
    <Panel title={say('Matches')} flush>
      <Group component="search" aria-label={say('Matches')} px="md" pb="md" align="flex-end" gap="sm">
        <AnyOf of="state" label={say('State')} data={states} style={{ flex: '1 1 160px' }} />
        <TextFilter
          of="list"
          read={inCapitals}
          label={say('List')}
          placeholder="OFAC_SDN"
          style={{ flex: '1 1 160px' }}
        />
        {overAll ? null : (
          <div style={{ flex: '1 1 160px' }}>
            <ClientSelect value={clientId} onChange={(v) => setFilters({ clientId: v })} />
          </div>
        )}
        {overAll ? <FilterMarks of={{ clientId: say('Client') }} /> : null}
      </Group>
      <DataTable
        label={say('Matches')}
        pages={pages}
        rowKey={(m) => m.matchId}
        empty={
          <Empty title={say('No matches')}>
            {say('Who or what matches an entry of a list appears here, and in an alert.')}
          </Empty>
        }
        columns={[
          {
            key: 'asked',
            header: say('Who or what'),
            cell: (m) => m.asked ?? (m.name === null ? say('An erased person') : <Nothing />),
          },
          { key: 'kind', header: say('Kind'), cell: (m) => matchedKinds[m.matched] },
          { key: 'name', header: say('Listed as'), cell: (m) => m.name || m.ref },
          { key: 'list', header: say('List'), cell: (m) => m.list },
          { key: 'score', header: say('Score'), align: 'right', cell: (m) => percent(m.score) },
          { key: 'state', header: say('State'), cell: (m) => <MatchBadge of={m} /> },
          overAll
            ? {
                key: 'psp',
                header: 'PSP',
                cell: (m) => psps?.find((p) => p.pspId === m.pspId)?.name ?? <Id value={m.pspId} />,
              }
            : { key: 'client', header: say('Client'), cell: (m) => <ClientName id={m.clientId} /> },
          { key: 'at', header: say('Found'), cell: (m) => <Stamp at={m.createdAt} show="relative" /> },
          {
            key: 'look',
            header: '',
            align: 'right',
            cell: (m) => (
              <Button size="xs" variant="default" onClick={() => setLooked(m.matchId)}>
                {say('Look')}
              </Button>
            ),
          },
        ]}
      />
      {asked !== undefined && shown ? <MatchDialog of={shown} onClose={close} /> : null}
    </Panel>
  );
}
