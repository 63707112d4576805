// The cases of a client and its open reviews; each leads to its page.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { useActorNames } from '../../data/people.ts';
import { useOp, usePages } from '../../data/use-op.ts';

export function ClientCases({ clientId }: { readonly clientId: string }) {
  const pages = usePages('listCases', { clientId, limit: 10 });
  const nameOf = useActorNames();
  const { data: reviews } = useOp('listReviews', { clientId, state: 'OPEN', limit: 1 });
  return (
    <Panel
      title="Cases"
      flush
      actions={
        <Anchor component={Link} to="/reviews" search={{ clientId } as never} size="sm">
          {reviews?.items.length ? 'Open reviews' : 'Reviews'}
        </Anchor>
      }
    >
      <DataTable
        label="Cases"
        pages={pages}
        rowKey={(c) => c.caseId}
        rowTo={(c) => `/cases/${c.caseId}`}
        empty={
          <Empty title="No case">A case is opened when a rule or a person has a review of this client opened.</Empty>
        }
        columns={[
          { key: 'number', header: 'Case', cell: (c) => `Case ${c.number}` },
          { key: 'about', header: 'About', cell: (c) => (c.aboutPerson ? 'A customer' : 'The client') },
          { key: 'state', header: 'State', cell: (c) => <StatusBadge status={c.state} /> },
          { key: 'severity', header: 'Severity', cell: (c) => <StatusBadge status={c.severity} /> },
          { key: 'who', header: 'Assigned to', cell: (c) => (c.assignee ? nameOf(c.assignee) : 'Unassigned') },
          { key: 'outcome', header: 'Outcome', cell: (c) => (c.outcome ? inWords(c.outcome) : 'none yet') },
          { key: 'due', header: 'Due', cell: (c) => <Stamp at={c.dueAt} /> },
        ]}
      />
    </Panel>
  );
}
