// The page of call detail files: the lines accepted from each, and the progress of those being processed.
import { Button, Select } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { useFilters } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { FileProgress } from './file-progress.tsx';
import { among, cdrPages, fileStates, fileTones } from './parts.ts';

export default function Files() {
  const [filters, setFilters] = useFilters();
  const state = among(fileStates, filters.state);
  const pages = usePages('listCdrFiles', state ? { state } : {}, { every: 2_000 });
  const may = useMay('administrator');
  const pickUp = useDo('pickUpCdrFiles', {
    done: (c) => (c.taken === 0 ? 'No finished upload waits' : `${c.taken} picked up`),
  });
  return (
    <>
      <PageHeader
        title="Call records"
        lead="Files are dropped by SFTP and picked up every 15 minutes; each line is recorded, or rejected with a reason."
        actions={
          may ? (
            <Button onClick={() => pickUp.mutate({})} loading={pickUp.isPending}>
              Pick up now
            </Button>
          ) : null
        }
      />
      <SubPages label="Pages of call records" pages={cdrPages} />
      <FilterBar>
        <Select
          label="State"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
          data={fileStates.map((s) => ({ value: s, label: inWords(s) }))}
          value={state ?? null}
          onChange={(v) => setFilters({ state: v ?? undefined })}
        />
      </FilterBar>
      <Panel title="Files" flush>
        <DataTable
          label="Call detail files"
          pages={pages}
          rowKey={(f) => f.fileId}
          rowTo={(f) => `/cdr/files/${f.fileId}`}
          empty={
            <Empty title={state ? 'No file in this state' : 'No file yet'}>
              Create an SFTP login, upload a CSV to /cdr/incoming, and it appears here once it is picked up.
            </Empty>
          }
          columns={[
            {
              key: 'name',
              header: 'File',
              cell: (f) => (
                <span style={{ display: 'inline-block', minWidth: '9rem', overflowWrap: 'anywhere' }}>
                  {f.fileName}
                </span>
              ),
            },
            { key: 'client', header: 'Account', cell: (f) => <ClientName id={f.clientId} /> },
            {
              key: 'state',
              header: 'State',
              cell: (f) => (
                <StatusBadge status={f.state} {...(fileTones[f.state] ? { tone: fileTones[f.state] } : {})} />
              ),
            },
            { key: 'lines', header: 'Lines', align: 'right', cell: (f) => <FileProgress file={f} /> },
            {
              key: 'accepted',
              header: 'Accepted',
              align: 'right',
              cell: (f) => f.counts.accepted.toLocaleString('en'),
            },
            {
              key: 'rejected',
              header: 'Rejected',
              align: 'right',
              cell: (f) => f.counts.rejected.toLocaleString('en'),
            },
            { key: 'at', header: 'Picked up', cell: (f) => <Stamp at={f.pickedUpAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
