// Exclusions and limits of players: how they apply, one player, and the list, which says of nobody who they are.

import type { Input } from '@assay/client';
import { Group, Stack } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { ExcludePlayer } from './exclude.tsx';
import { OnePlayer } from './player.tsx';
import { PlayerPolicy } from './policy.tsx';
import { EndExclusion, kindNames, RestrictionState, sourceName, What } from './restrictions.tsx';

export default function Players() {
  const [filters] = useFilters();
  const { kind, inForce } = filters;
  const pages = usePages('listPlayerRestrictions', { kind, inForce } as Input<'listPlayerRestrictions'>);
  return (
    <>
      <PageHeader
        title={say('Players')}
        lead={say(
          'Who may not gamble, or not more than so much, with all operators or one. Players are stored as keyed hashes only.',
        )}
        actions={<ExcludePlayer />}
      />
      <Stack>
        <PlayerPolicy />
        <OnePlayer />
        <Panel title={say('Exclusions and limits')} flush>
          <Group px="md" pb="md" align="flex-end" gap="sm">
            <AnyOf
              of="kind"
              label={say('Kind')}
              data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
            />
            <AnyOf of="inForce" label={say('State')} data={[{ value: 'true', label: say('In force') }]} />
          </Group>
          <DataTable
            label={say('Exclusions and limits')}
            pages={pages}
            rowKey={(r) => r.restrictionId}
            empty={
              <Empty title={say('None')}>
                {say('They appear here when a player, an operator or a register asks for one.')}
              </Empty>
            }
            columns={[
              { key: 'what', header: say('What'), cell: (r) => <What of={r} /> },
              { key: 'state', header: say('State'), cell: (r) => <RestrictionState of={r} /> },
              { key: 'source', header: say('Asked by'), cell: (r) => sourceName(r.source) },
              { key: 'client', header: say('Applies to'), cell: (r) => <ClientName id={r.clientId} /> },
              {
                key: 'until',
                header: say('Until'),
                cell: (r) => (r.until === null ? say('No end') : <Stamp at={r.until} />),
              },
              { key: 'at', header: say('Recorded'), cell: (r) => <Stamp at={r.createdAt} />, wideOnly: true },
              { key: 'end', header: '', cell: (r) => <EndExclusion of={r} />, wideOnly: true },
            ]}
          />
        </Panel>
      </Stack>
    </>
  );
}
