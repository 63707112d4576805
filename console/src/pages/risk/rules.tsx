// The risk book: the rules in force, which of them decline a PSP's transactions, and versions that are proposed.

import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AnyOf } from '../../components/any-of.tsx';
import { Beneath } from '../../components/beneath.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { useOp } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { named, say } from '../../words/words.ts';
import { actions, documentOf, type RiskRule } from './document.ts';
import { RiskPolicy } from './policy.tsx';
import { RiskProposals } from './proposals.tsx';

const severities = ['HIGH', 'MEDIUM', 'LOW'].map((value) => ({
  value,
  label: inWords(value),
}));

export default function RiskRules() {
  const [filters] = useFilters();
  const { isOperator, ready } = usePsp();
  const { data, error, isPending, refetch } = useOp('listRiskRules', {});
  const { action, severity, text = '' } = filters;
  const sought = text.toLowerCase();
  const rows = data?.items.filter(
    (r) =>
      (!action || r.action === action) &&
      (!severity || r.severity === severity) &&
      `${r.id} ${inWords(r.id)} ${named(r.reason)} ${documentOf(r.rule).source.title}`.toLowerCase().includes(sought),
  );
  return (
    <>
      <PageHeader
        title={say('Risk rules')}
        lead={say(
          'Rules look at every record after it was recorded, and count or review what they match. They decline only what a PSP says. Clients learn nothing of them.',
        )}
        actions={
          ready ? (
            <Button component={Link} to="/risk/wallets" variant="default">
              {say('Wallets on hold')}
            </Button>
          ) : null
        }
      />
      <Stack>
        {ready ? <RiskPolicy rules={data?.items ?? []} /> : null}
        {isOperator ? <RiskProposals /> : null}
        <div>
          <FilterBar>
            <TextFilter of="text" label={say('Search')} placeholder={say('Id, reason or source')} />
            <AnyOf
              of="action"
              label={say('What a match does')}
              data={Object.entries(actions).map(([value, label]) => ({ value, label }))}
            />
            <AnyOf of="severity" label={say('Severity')} data={severities} />
          </FilterBar>
          <Panel title={say('Rules in force')} flush>
            <DataTable
              label={say('Rules in force')}
              pages={{ rows, error, loading: isPending, retry: () => void refetch() }}
              rowKey={(r) => r.id}
              rowTo={(r) => `/risk/${r.id}`}
              empty={<Empty title={say('No rule is like that')}>{say('Clear a filter to see more.')}</Empty>}
              columns={[
                {
                  key: 'id',
                  header: say('Rule'),
                  cell: (r) => (
                    <>
                      {inWords(r.id)}
                      <Beneath>{r.id}</Beneath>
                    </>
                  ),
                },
                { key: 'severity', header: say('Severity'), cell: (r) => <StatusBadge status={r.severity} /> },
                { key: 'action', header: say('A match'), cell: (r) => <Action of={r} /> },
                { key: 'reason', header: say('Reason'), cell: (r) => named(r.reason) },
                { key: 'version', header: say('Version'), align: 'right', cell: (r) => r.version, wideOnly: true },
                {
                  key: 'matches',
                  header: say('Matches, 30 days'),
                  align: 'right',
                  cell: (r) => r.matches.toLocaleString(locale),
                },
              ]}
            />
          </Panel>
        </div>
      </Stack>
    </>
  );
}

const tones = { observe: 'quiet', review: 'wait', hold: 'bad', holdWallet: 'bad', decline: 'bad' } as const;

export function Action({ of: r }: { readonly of: Pick<RiskRule, 'action'> }) {
  return <StatusBadge status={r.action} tone={tones[r.action]} label={actions[r.action]} />;
}
