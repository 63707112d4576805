// The risk book: the rules in force, which of them decline a PSP's transactions, and versions that are proposed.
import { Select, Stack } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { useOp } from '../../data/use-op.ts';
import { actions, documentOf, type RiskRule } from './document.ts';
import { RiskPolicy } from './policy.tsx';
import { RiskProposals } from './proposals.tsx';

const severities = ['HIGH', 'MEDIUM', 'LOW'].map((value) => ({
  value,
  label: value.charAt(0) + value.slice(1).toLowerCase(),
}));

export default function RiskRules() {
  const [filters, setFilters] = useFilters();
  const { isOperator, ready } = usePsp();
  const { data, error, isPending, refetch } = useOp('listRiskRules', {});
  const { action, severity, text = '' } = filters;
  const sought = text.toLowerCase();
  const rows = data?.items.filter(
    (r) =>
      (!action || r.action === action) &&
      (!severity || r.severity === severity) &&
      `${r.id} ${r.reason} ${documentOf(r.rule).source.title}`.toLowerCase().includes(sought),
  );
  return (
    <>
      <PageHeader
        title="Risk rules"
        lead="Rules look at every record after it was recorded, and count or review what they match. They decline only what a PSP says. Clients learn nothing of them."
      />
      <Stack>
        {ready ? <RiskPolicy rules={data?.items ?? []} /> : null}
        {isOperator ? <RiskProposals /> : null}
        <div>
          <FilterBar>
            <TextFilter
              label="Search"
              placeholder="Id, reason or source"
              value={text}
              onChange={(v) => setFilters({ text: v })}
            />
            <Select
              label="What a match does"
              placeholder="Any"
              clearable
              data={Object.entries(actions).map(([value, label]) => ({ value, label }))}
              value={action ?? null}
              onChange={(v) => setFilters({ action: v ?? undefined })}
            />
            <Select
              label="Severity"
              placeholder="Any"
              clearable
              data={severities}
              value={severity ?? null}
              onChange={(v) => setFilters({ severity: v ?? undefined })}
            />
          </FilterBar>
          <Panel title="Rules in force" flush>
            <DataTable
              label="Rules in force"
              pages={{ rows, error, loading: isPending, retry: () => void refetch() }}
              rowKey={(r) => r.id}
              rowTo={(r) => `/risk/${r.id}`}
              empty={<Empty title="No rule is like that">Clear a filter to see more.</Empty>}
              columns={[
                { key: 'id', header: 'Rule', cell: (r) => r.id },
                { key: 'severity', header: 'Severity', cell: (r) => <StatusBadge status={r.severity} /> },
                { key: 'action', header: 'A match', cell: (r) => <Action of={r} /> },
                { key: 'reason', header: 'Reason', cell: (r) => r.reason },
                { key: 'version', header: 'Version', align: 'right', cell: (r) => r.version, wideOnly: true },
                { key: 'matches', header: 'Matches, 30 days', align: 'right', cell: (r) => r.matches },
              ]}
            />
          </Panel>
        </div>
      </Stack>
    </>
  );
}

const tones = { observe: 'quiet', review: 'wait', hold: 'bad', decline: 'bad' } as const;

export function Action({ of: r }: { readonly of: Pick<RiskRule, 'action'> }) {
  return <StatusBadge status={r.action} tone={tones[r.action]} label={actions[r.action]} />;
}
