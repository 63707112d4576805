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
import { say } from '../../words/words.ts';

export function ClientCases({ clientId }: { readonly clientId: string }) {
  const pages = usePages('listCases', { clientId, limit: 10 });
  const nameOf = useActorNames();
  const { data: reviews } = useOp('listReviews', { clientId, state: 'OPEN', limit: 1 });
  return (
    <Panel
      title={say('Cases')}
      flush
      actions={
        <Anchor component={Link} to="/reviews" search={{ clientId } as never} size="sm">
          {reviews?.items.length ? say('Open reviews') : say('Reviews')}
        </Anchor>
      }
    >
      <DataTable
        label={say('Cases')}
        pages={pages}
        rowKey={(c) => c.caseId}
        rowTo={(c) => `/cases/${c.caseId}`}
        empty={
          <Empty title={say('No case')}>
            {say('A case is opened when a rule or a person has a review of this client opened.')}
          </Empty>
        }
        columns={[
          { key: 'number', header: say('Case'), cell: (c) => say('Case {number}', { number: c.number }) },
          { key: 'about', header: say('About'), cell: (c) => (c.aboutPerson ? say('A customer') : say('The client')) },
          { key: 'state', header: say('State'), cell: (c) => <StatusBadge status={c.state} /> },
          { key: 'severity', header: say('Severity'), cell: (c) => <StatusBadge status={c.severity} /> },
          {
            key: 'who',
            header: say('Assigned to'),
            cell: (c) => (c.assignee ? nameOf(c.assignee) : say('Unassigned')),
          },
          { key: 'outcome', header: say('Outcome'), cell: (c) => (c.outcome ? inWords(c.outcome) : say('none yet')) },
          { key: 'due', header: say('Due'), cell: (c) => <Stamp at={c.dueAt} /> },
        ]}
      />
    </Panel>
  );
}
