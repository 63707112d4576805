// The page of one call detail file: progress, counts compared with its trailer, errors, and actions on rejected lines.
import { SimpleGrid, Stack } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { Stat } from '../../components/stat.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { FileActions } from './file-actions.tsx';
import { FileErrors } from './file-errors.tsx';
import { FileProgress } from './file-progress.tsx';
import { fileTones, inWork, size } from './parts.ts';

export type FileDetail = Content<'getCdrFile'>;
const above = [{ title: 'Call records', to: '/cdr' }];

export default function FilePage() {
  const fileId = usePath('fileId');
  const { data, error, refetch } = useOp('getCdrFile', { fileId }, { every: 2_000, until: (f) => !inWork(f.state) });
  if (!data) return <Unfetched title="Call detail file" above={above} error={error} refetch={refetch} />;
  const tone = fileTones[data.state];
  return (
    <>
      <PageHeader
        title={data.fileName}
        above={above}
        beside={<StatusBadge status={data.state} {...(tone ? { tone } : {})} />}
        actions={<FileActions file={data} />}
      />
      <Stack>
        {inWork(data.state) ? (
          <Panel title="In work">
            <FileProgress file={data} />
          </Panel>
        ) : null}
        <Counts file={data} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Panel title="File">
            <Facts
              items={[
                ['Id', <Id key="id" value={data.fileId} what="file id" full />],
                ['Account', <ClientName key="w" id={data.clientId} link />],
                ['Size', size(data.sizeBytes)],
                ['SHA-256', <Id key="h" value={data.sha256} what="hash" full />],
                ['Received', <Stamp key="r" at={data.receivedAt} />],
                ['Picked up', <Stamp key="p" at={data.pickedUpAt} />],
                ['Completed', <Stamp key="c" at={data.completedAt} show="both" />],
                !!data.duplicateOf && [
                  'Same as',
                  <Id key="d" value={data.duplicateOf} what="file id" to={`/cdr/files/${data.duplicateOf}`} />,
                ],
              ]}
            />
          </Panel>
          <Control file={data} />
        </SimpleGrid>
        <FileErrors file={data} />
      </Stack>
    </>
  );
}

function Counts({ file: { counts, suspense } }: { readonly file: FileDetail }) {
  const n = (v: number) => v.toLocaleString('en');
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }}>
      <Stat name="Accepted" value={n(counts.accepted)} note={`of ${n(counts.total)} lines`} tone="good" />
      <Stat name="Rejected" value={n(counts.rejected)} {...(counts.rejected > 0 ? { tone: 'bad' } : {})} />
      <Stat name="Duplicates" value={n(counts.duplicate)} note="recorded before" />
      <Stat
        name="With warnings"
        value={n(counts.warned)}
        note="recorded all the same"
        {...(counts.warned > 0 ? { tone: 'wait' } : {})}
      />
      <Stat
        name="In suspense"
        value={n(suspense.open)}
        note={`${n(suspense.corrected)} corrected, ${n(suspense.writtenOff)} written off`}
        {...(suspense.open > 0 ? { tone: 'wait' } : {})}
      />
    </SimpleGrid>
  );
}

function Control({ file }: { readonly file: FileDetail }) {
  const { declared, computed } = file.control;
  const rows = [
    {
      name: 'Records',
      declared: declared?.records.toLocaleString('en'),
      computed: computed.records.toLocaleString('en'),
    },
    { name: 'Sum of durations, s', declared: declared?.sumDuration, computed: computed.sumDuration },
    { name: 'Sum of costs', declared: declared?.sumCost, computed: computed.sumCost },
  ];
  return (
    <Panel title="Declared in the file and counted" flush>
      <DataTable
        label="Control sums"
        pages={{ rows }}
        rowKey={(r) => r.name}
        columns={[
          { key: 'name', header: 'Sum', cell: (r) => r.name },
          { key: 'declared', header: 'Declared', align: 'right', cell: (r) => r.declared ?? <Nothing /> },
          { key: 'computed', header: 'Counted', align: 'right', cell: (r) => r.computed },
          {
            key: 'same',
            header: 'Agree',
            cell: (r) =>
              r.declared === undefined || r.declared === null ? (
                <Nothing />
              ) : (
                <StatusBadge
                  status={r.declared === r.computed ? 'yes' : 'no'}
                  tone={r.declared === r.computed ? 'good' : 'bad'}
                />
              ),
          },
        ]}
      />
    </Panel>
  );
}
