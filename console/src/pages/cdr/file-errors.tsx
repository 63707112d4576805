// The errors of a file: counted by code, and by line with column, value and what to do.

import { Badge, Code, Group } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { between, say } from '../../words/words.ts';
import type { FileDetail } from './file.tsx';
import { inWork } from './parts.ts';

export function FileErrors({ file }: { readonly file: FileDetail }) {
  const pages = usePages('listCdrFileErrors', { fileId: file.fileId }, { every: inWork(file.state) ? 3_000 : false });
  return (
    <Panel title={say('Errors and warnings')} flush>
      {file.errorSummary.length > 0 ? (
        <Group gap={6} px="md" pb="sm">
          {file.errorSummary.map((e) => (
            <Badge key={e.code} variant="default">
              {e.code}
              {between}
              {e.count.toLocaleString(locale)}
            </Badge>
          ))}
        </Group>
      ) : null}
      <DataTable
        label={say('Errors and warnings by line')}
        pages={pages}
        rowKey={(e) => `${e.line} ${e.column} ${e.code} ${e.byteOffset}`}
        empty={
          <Empty title={say('Nothing is wrong with this file')}>{inWork(file.state) ? say('So far.') : null}</Empty>
        }
        columns={[
          {
            key: 'line',
            header: say('Line'),
            cell: (e) => (
              <span style={{ whiteSpace: 'nowrap' }}>
                {e.line === 0 ? say('The file') : say('Line {line}', { line: e.line.toLocaleString(locale) })}
              </span>
            ),
          },
          { key: 'column', header: say('Column'), cell: (e) => (e.column ? <Code>{e.column}</Code> : <Nothing />) },
          {
            key: 'severity',
            header: say('Severity'),
            cell: (e) => <StatusBadge status={e.severity} tone={e.severity === 'error' ? 'bad' : 'wait'} />,
          },
          { key: 'code', header: say('Code'), cell: (e) => e.code },
          { key: 'message', header: say('What is wrong'), cell: (e) => e.message },
          {
            key: 'value',
            header: say('Value'),
            cell: (e) => (e.value ? <Code style={{ overflowWrap: 'anywhere' }}>{e.value}</Code> : <Nothing />),
          },
          {
            key: 'id',
            header: 'cdr_id',
            cell: (e) => (e.cdr_id ? <span style={{ whiteSpace: 'nowrap' }}>{e.cdr_id}</span> : <Nothing />),
            wideOnly: true,
          },
        ]}
      />
    </Panel>
  );
}
