// The page of call detail files: the lines accepted from each, and the progress of those being processed.

import { Button } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { among, useFilters } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { FileProgress } from './file-progress.tsx';
import { cdrPages, fileStates, fileTones } from './parts.ts';

export default function Files() {
  const [filters] = useFilters();
  const state = among(fileStates, filters.state);
  const pages = usePages('listCdrFiles', state ? { state } : {}, { every: 2_000 });
  const may = useMay('pickUpCdrFiles');
  const pickUp = useDo('pickUpCdrFiles', {
    done: (c) => (c.taken === 0 ? say('No finished upload waits') : say('{taken} picked up', { taken: c.taken })),
  });
  return (
    <>
      <PageHeader
        title={say('Call records')}
        lead={say(
          'Files are dropped by SFTP and picked up every 15 minutes; each line is recorded, or rejected with a reason.',
        )}
        actions={
          may ? (
            <Button onClick={() => pickUp.mutate({})} loading={pickUp.isPending}>
              {say('Pick up now')}
            </Button>
          ) : null
        }
      />
      <SubPages label={say('Pages of call records')} pages={cdrPages} />
      <FilterBar>
        <AnyOf
          of="state"
          label={say('State')}
          clear={say('Any state')}
          data={fileStates.map((s) => ({ value: s, label: inWords(s) }))}
        />
      </FilterBar>
      <Panel title={say('Files')} flush>
        <DataTable
          label={say('Call detail files')}
          pages={pages}
          rowKey={(f) => f.fileId}
          rowTo={(f) => `/cdr/files/${f.fileId}`}
          empty={
            <Empty title={state ? say('No file in this state') : say('No file yet')}>
              {say('Create an SFTP login, upload a CSV to /cdr/incoming, and it appears here once it is picked up.')}
            </Empty>
          }
          columns={[
            {
              key: 'name',
              header: say('File'),
              cell: (f) => (
                <span style={{ display: 'inline-block', minWidth: '9rem', overflowWrap: 'anywhere' }}>
                  {f.fileName}
                </span>
              ),
            },
            { key: 'client', header: say('Account'), cell: (f) => <ClientName id={f.clientId} /> },
            {
              key: 'state',
              header: say('State'),
              cell: (f) => (
                <StatusBadge status={f.state} {...(fileTones[f.state] ? { tone: fileTones[f.state] } : {})} />
              ),
            },
            { key: 'lines', header: say('Lines'), align: 'right', cell: (f) => <FileProgress file={f} /> },
            {
              key: 'accepted',
              header: say('Accepted'),
              align: 'right',
              cell: (f) => f.counts.accepted.toLocaleString(locale),
            },
            {
              key: 'rejected',
              header: say('Rejected'),
              align: 'right',
              cell: (f) => f.counts.rejected.toLocaleString(locale),
            },
            { key: 'at', header: say('Picked up'), cell: (f) => <Stamp at={f.pickedUpAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
