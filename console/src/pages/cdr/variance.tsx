// The comparison of declared and computed figures, from the newest tax report of the month if there is one.

import { Text } from '@mantine/core';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { SectionTable } from '../reports/section-table.tsx';

export function Variance({ period, clientId }: { readonly period: string; readonly clientId: string }) {
  const reports = useOp('listReports', { kind: 'cdrTax', state: 'DONE', limit: 100 });
  const ofMonth = reports.data?.items.filter((r) => r.parameters.period === period) ?? [];
  // A report on the PSP includes all its clients.
  const report = ofMonth.find((r) => r.clientId === clientId) ?? ofMonth.find((r) => isIdOf('psp', r.clientId));
  const json = useOp('getReportJson', { reportId: report?.reportId ?? '' }, { enabled: report !== undefined });
  const section = json.data?.sections.find((s) => s.name === 'declared');
  if (!reports.data || (report && !json.data)) return null;
  return (
    <Panel title={say('Declared and computed')} flush>
      {report && section ? (
        <>
          <Text size="sm" c="dimmed" px="md" pb="sm" component="div">
            {rich('From revision {revision} of the tax report, made {finishedAt}.', {
              revision: report.revision,
              finishedAt: <Stamp at={report.finishedAt} show="both" />,
            })}
          </Text>
          <SectionTable section={section} />
        </>
      ) : (
        <Empty title={say('Not compared yet')}>
          {say('The tax report of the month holds each figure against the records.')}
        </Empty>
      )}
    </Panel>
  );
}
