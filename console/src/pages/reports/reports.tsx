// Reports, newest first, with the progress of running ones.

import type { Input } from '@assay/client';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { among, useFilters } from '../../data/path.ts';
import { useIsClient } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { named, say } from '../../words/words.ts';
import { ReportProgress } from './report-progress.tsx';
import { inShort, inWork, type Report, reportStates, useKinds } from './shown.ts';

export default function Reports() {
  const [filters] = useFilters();
  const isClient = useIsClient();
  const { kinds, titleOf } = useKinds();
  // The service accepts as a filter every kind that it lists.
  const kind = kinds?.find((k) => k.kind === filters.kind)?.kind as Input<'listReports'>['kind'];
  const state = among(reportStates, filters.state);
  const { scheduleId } = filters;
  const pages = usePages('listReports', { kind, state, scheduleId }, { every: 2_000 });
  return (
    <>
      <PageHeader
        title={say('Reports')}
        lead={say(
          'Made in the background from what is recorded; each keeps its revisions, hashes and the way to its rows.',
        )}
        actions={
          <>
            {isClient ? null : (
              <Button component={Link} variant="default" to="/reports/schedules">
                {say('Scheduled reports')}
              </Button>
            )}
            <Button component={Link} to="/reports/new">
              {say('New report')}
            </Button>
          </>
        }
      />
      <FilterBar>
        <AnyOf
          of="kind"
          label={say('Kind')}
          clear={say('Any kind')}
          data={(kinds ?? []).map((k) => ({ value: k.kind, label: named(k.title) }))}
        />
        <AnyOf
          of="state"
          label={say('State')}
          clear={say('Any state')}
          data={reportStates.map((s) => ({ value: s, label: inWords(s) }))}
        />
      </FilterBar>
      <FilterMarks of={{ scheduleId: say('Schedule') }} mb="md" />
      <Panel title={scheduleId ? say('Reports of one schedule') : say('All reports')} flush>
        <DataTable
          label={say('Reports')}
          pages={pages}
          rowKey={(r) => r.reportId}
          rowTo={(r) => `/reports/${r.reportId}`}
          empty={
            <Empty title={kind || state ? say('No such report') : say('No report yet')}>
              {say('Request one with “New report”. It is made in the background, in seconds.')}
            </Empty>
          }
          columns={[
            { key: 'kind', header: say('Report'), cell: (r) => titleOf(r.kind) },
            { key: 'about', header: say('About'), cell: (r) => inShort(r.parameters) },
            { key: 'client', header: say('Account'), cell: (r) => <ClientName id={r.clientId} /> },
            {
              key: 'made',
              header: say('Made'),
              cell: (r) => (r.scheduleId === null ? say('On request') : say('By schedule')),
            },
            { key: 'state', header: say('State'), cell: (r) => <State report={r} /> },
            { key: 'revision', header: say('Revision'), align: 'right', cell: (r) => r.revision },
            { key: 'at', header: say('Requested'), cell: (r) => <Stamp at={r.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}

function State({ report }: { readonly report: Report }) {
  if (inWork(report.state)) return <ReportProgress report={report} />;
  if (report.provisional) return <StatusBadge status="provisional" tone="wait" label={say('Done, provisional')} />;
  return <StatusBadge status={report.state} />;
}
