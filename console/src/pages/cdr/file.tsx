// The page of one call detail file: progress, counts compared with its trailer, errors, and actions on rejected lines.

import { SimpleGrid, Stack } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
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
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { FileActions } from './file-actions.tsx';
import { FileErrors } from './file-errors.tsx';
import { FileProgress } from './file-progress.tsx';
import { fileTones, inWork, size } from './parts.ts';

export type FileDetail = Content<'getCdrFile'>;
const above = [{ title: say('Call records'), to: '/cdr' }];

export default function FilePage() {
  const fileId = usePath('fileId');
  const { data, error, refetch } = useOp('getCdrFile', { fileId }, { every: 2_000, until: (f) => !inWork(f.state) });
  if (!data) return <Unfetched title={say('Call detail file')} above={above} error={error} refetch={refetch} />;
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
          <Panel title={say('In work')}>
            <FileProgress file={data} />
          </Panel>
        ) : null}
        <Counts file={data} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Panel title={say('File')}>
            <Facts
              items={[
                [say('Id'), <Id key="id" value={data.fileId} what={say('file id')} full />],
                [say('Account'), <ClientName key="w" id={data.clientId} link />],
                [say('Size'), size(data.sizeBytes)],
                ['SHA-256', <Id key="h" value={data.sha256} what={say('hash')} full />],
                !!data.counts.withdrawn && [say('Withdrawn records'), data.counts.withdrawn.toLocaleString(locale)],
                [say('Received'), <Stamp key="r" at={data.receivedAt} />],
                [say('Picked up'), <Stamp key="p" at={data.pickedUpAt} />],
                [say('Completed'), <Stamp key="c" at={data.completedAt} show="both" />],
                !!data.duplicateOf && [
                  say('Same as'),
                  <Id key="d" value={data.duplicateOf} what={say('file id')} to={`/cdr/files/${data.duplicateOf}`} />,
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
  const n = (v: number) => v.toLocaleString(locale);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }}>
      <Stat
        name={say('Accepted')}
        value={n(counts.accepted)}
        note={
          counts.corrected
            ? say('of {total} lines, {corrected} corrections', {
                total: n(counts.total),
                corrected: n(counts.corrected),
              })
            : say('of {total} lines', { total: n(counts.total) })
        }
        tone="good"
      />
      <Stat name={say('Rejected')} value={n(counts.rejected)} {...(counts.rejected > 0 ? { tone: 'bad' } : {})} />
      <Stat name={say('Duplicates')} value={n(counts.duplicate)} note={say('recorded before')} />
      <Stat
        name={say('With warnings')}
        value={n(counts.warned)}
        note={say('recorded all the same')}
        {...(counts.warned > 0 ? { tone: 'wait' } : {})}
      />
      <Stat
        name={say('In suspense')}
        value={n(suspense.open)}
        note={say('{corrected} corrected, {writtenOff} written off', {
          corrected: n(suspense.corrected),
          writtenOff: n(suspense.writtenOff),
        })}
        {...(suspense.open > 0 ? { tone: 'wait' } : {})}
      />
    </SimpleGrid>
  );
}

function Control({ file }: { readonly file: FileDetail }) {
  const { declared, computed } = file.control;
  const rows = [
    { name: say('Records'), declared: declared?.records, computed: computed.records },
    { name: say('Sum of durations, s'), declared: declared?.sumDuration, computed: computed.sumDuration },
    { name: say('Sum of costs'), declared: declared?.sumCost, computed: computed.sumCost },
  ];
  return (
    <Panel title={say('Declared in the file and counted')} flush>
      <DataTable
        label={say('Control sums')}
        pages={{ rows }}
        rowKey={(r) => r.name}
        columns={[
          { key: 'name', header: say('Sum'), cell: (r) => r.name },
          { key: 'declared', header: say('Declared'), align: 'right', cell: (r) => <Money amount={r.declared} /> },
          { key: 'computed', header: say('Counted'), align: 'right', cell: (r) => <Money amount={r.computed} /> },
          {
            key: 'same',
            header: say('As counted'),
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
