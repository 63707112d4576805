// What proves a report: the data it was made from, a hash of each part, and its revisions with their changes.
import { Stack, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { ReportDetail } from './report.tsx';

export function Manifest({ manifest: m }: { readonly manifest: NonNullable<ReportDetail['manifest']> }) {
  return (
    <>
      <Panel title="Manifest">
        <Facts
          items={[
            ['SHA-256 of the content', <Id key="h" value={m.contentSha256} what="hash" full />],
            ['Tax data', m.dataset],
          ]}
        />
      </Panel>
      <Panel title="Files and their hashes" flush>
        <DataTable
          label="Files and their hashes"
          pages={{ rows: m.files }}
          rowKey={(f) => f.name}
          columns={[
            { key: 'name', header: 'File', cell: (f) => f.name },
            { key: 'type', header: 'Type', cell: (f) => f.contentType, wideOnly: true },
            { key: 'bytes', header: 'Bytes', align: 'right', cell: (f) => f.bytes.toLocaleString('en') },
            { key: 'hash', header: 'SHA-256', cell: (f) => <Id value={f.sha256} what="hash" full /> },
          ]}
        />
      </Panel>
    </>
  );
}

export function Revisions({ report }: { readonly report: ReportDetail }) {
  const { changes, revisions, reportId } = report;
  return (
    <Panel title="Revisions" flush>
      <Stack gap={0}>
        {changes ? (
          <Text size="sm" px="md" pb="sm">
            {changes.changed
              ? `Since revision ${changes.since} these sections say something else: ${changes.sections.join(', ')}.`
              : `Nothing changed since revision ${changes.since}.`}
          </Text>
        ) : null}
        <DataTable
          label="Revisions"
          pages={{ rows: revisions }}
          rowKey={(r) => r.reportId}
          rowTo={(r) => (r.reportId === reportId ? undefined : `/reports/${r.reportId}`)}
          columns={[
            {
              key: 'revision',
              header: 'Revision',
              cell: (r) => `Revision ${r.revision}${r.reportId === reportId ? ' (this one)' : ''}`,
            },
            { key: 'state', header: 'State', cell: (r) => <StatusBadge status={r.state} /> },
            { key: 'id', header: 'Report', cell: (r) => <Id value={r.reportId} what="report id" /> },
          ]}
        />
      </Stack>
    </Panel>
  );
}
