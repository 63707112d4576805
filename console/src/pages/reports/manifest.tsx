// What proves a report: the data it was made from, a hash of each part, and its revisions with their changes.

import { Stack, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import type { ReportDetail } from './report.tsx';

export function Manifest({ manifest: m }: { readonly manifest: NonNullable<ReportDetail['manifest']> }) {
  return (
    <>
      <Panel title={say('Manifest')}>
        <Facts
          items={[
            [say('SHA-256 of the content'), <Id key="h" value={m.contentSha256} what={say('hash')} full />],
            [say('Tax data'), m.dataset],
          ]}
        />
      </Panel>
      <Panel title={say('Files and their hashes')} flush>
        <DataTable
          label={say('Files and their hashes')}
          pages={{ rows: m.files }}
          rowKey={(f) => f.name}
          columns={[
            { key: 'name', header: say('File'), cell: (f) => f.name },
            { key: 'type', header: say('Type'), cell: (f) => f.contentType, wideOnly: true },
            { key: 'bytes', header: say('Bytes'), align: 'right', cell: (f) => f.bytes.toLocaleString(locale) },
            { key: 'hash', header: 'SHA-256', cell: (f) => <Id value={f.sha256} what={say('hash')} full /> },
          ]}
        />
      </Panel>
    </>
  );
}

export function Revisions({ report }: { readonly report: ReportDetail }) {
  const { changes, revisions, reportId } = report;
  return (
    <Panel title={say('Revisions')} flush>
      <Stack gap={0}>
        {changes ? (
          <Text size="sm" px="md" pb="sm">
            {changes.changed
              ? say('Since revision {since} these sections say something else: {sections}.', {
                  since: changes.since,
                  sections: changes.sections.join(', '),
                })
              : say('Nothing changed since revision {since}.', { since: changes.since })}
          </Text>
        ) : null}
        <DataTable
          label={say('Revisions')}
          pages={{ rows: revisions }}
          rowKey={(r) => r.reportId}
          rowTo={(r) => (r.reportId === reportId ? undefined : `/reports/${r.reportId}`)}
          columns={[
            {
              key: 'revision',
              header: say('Revision'),
              cell: (r) =>
                say('Revision {revision}{reportId}', {
                  revision: r.revision,
                  reportId: r.reportId === reportId ? ` ${say('(this one)')}` : '',
                }),
            },
            { key: 'state', header: say('State'), cell: (r) => <StatusBadge status={r.state} /> },
            { key: 'id', header: say('Report'), cell: (r) => <Id value={r.reportId} what={say('report id')} /> },
          ]}
        />
      </Stack>
    </Panel>
  );
}
