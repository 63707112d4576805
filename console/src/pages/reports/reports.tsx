// Reports, newest first, with the progress of running ones.
import type { Input } from '@assay/client';
import { Button, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { useFilters } from '../../data/path.ts';
import { useIsClient } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { ReportProgress } from './report-progress.tsx';
import { inShort, inWork, type Report, reportStates, useKinds } from './shown.ts';

export default function Reports() {
  const [filters, setFilters] = useFilters();
  const isClient = useIsClient();
  const { kinds, titleOf } = useKinds();
  // The service accepts as a filter every kind that it lists.
  const kind = kinds?.find((k) => k.kind === filters.kind)?.kind as Input<'listReports'>['kind'];
  const state = reportStates.find((s) => s === filters.state);
  const { scheduleId } = filters;
  const asked = { ...(kind ? { kind } : {}), ...(state ? { state } : {}), ...(scheduleId ? { scheduleId } : {}) };
  const pages = usePages('listReports', asked, { every: 2_000 });
  return (
    <>
      <PageHeader
        title="Reports"
        lead="Made in the background from what is recorded; each keeps its revisions, hashes and the way to its rows."
        actions={
          <>
            {isClient ? null : (
              <Button component={Link} variant="default" to="/reports/schedules">
                Scheduled reports
              </Button>
            )}
            <Button component={Link} to="/reports/new">
              New report
            </Button>
          </>
        }
      />
      <FilterBar>
        <Select
          label="Kind"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Any kind' }}
          data={(kinds ?? []).map((k) => ({ value: k.kind, label: k.title }))}
          value={kind ?? null}
          onChange={(v) => setFilters({ kind: v ?? undefined })}
        />
        <Select
          label="State"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
          data={reportStates.map((s) => ({ value: s, label: inWords(s) }))}
          value={state ?? null}
          onChange={(v) => setFilters({ state: v ?? undefined })}
        />
      </FilterBar>
      <Panel title={scheduleId ? 'Reports of one schedule' : 'All reports'} flush>
        <DataTable
          label="Reports"
          pages={pages}
          rowKey={(r) => r.reportId}
          rowTo={(r) => `/reports/${r.reportId}`}
          empty={
            <Empty title={kind || state ? 'No such report' : 'No report yet'}>
              Request one with “New report”. It is made in the background, in seconds.
            </Empty>
          }
          columns={[
            { key: 'kind', header: 'Report', cell: (r) => titleOf(r.kind) },
            { key: 'about', header: 'About', cell: (r) => inShort(r.parameters) },
            { key: 'client', header: 'Account', cell: (r) => <ClientName id={r.clientId} /> },
            { key: 'made', header: 'Made', cell: (r) => (r.scheduleId === null ? 'On request' : 'By schedule') },
            { key: 'state', header: 'State', cell: (r) => <State report={r} /> },
            { key: 'revision', header: 'Revision', align: 'right', cell: (r) => r.revision },
            { key: 'at', header: 'Requested', cell: (r) => <Stamp at={r.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}

function State({ report }: { readonly report: Report }) {
  if (inWork(report.state)) return <ReportProgress report={report} />;
  if (report.provisional) return <StatusBadge status="provisional" tone="wait" label="Done, provisional" />;
  return <StatusBadge status={report.state} />;
}
