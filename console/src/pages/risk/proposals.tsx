// Versions of rules that are proposed, for the person who decides: where they are decided, and what each would match.

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useActorNames } from '../../data/people.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

/** @param rule only those of this rule */
export function RiskProposals({ rule }: { readonly rule?: string }) {
  const all = usePages('listProposals', { kind: 'RISK', state: 'OPEN' }, { asOperator: true });
  const pages = rule === undefined ? all : { rows: all.rows?.filter((p) => p.subject === rule) };
  const actorOf = useActorNames();
  if (pages.rows === undefined || pages.rows.length === 0) return null;
  return (
    <Panel
      title={say('Proposed versions')}
      actions={
        <Anchor component={Link} to="/rates" search={{ tab: 'proposals' } as never} size="sm">
          {say('All proposals')}
        </Anchor>
      }
      flush
    >
      <DataTable
        label={say('Proposed versions')}
        pages={pages}
        rowKey={(p) => p.proposalId}
        rowTo={(p) => `/risk/proposals/${p.proposalId}`}
        columns={[
          { key: 'rule', header: say('Rule'), cell: (p) => p.subject },
          { key: 'why', header: say('Why'), cell: (p) => p.reason },
          { key: 'by', header: say('By'), cell: (p) => actorOf(p.proposedBy) },
          { key: 'at', header: say('Proposed'), cell: (p) => <Stamp at={p.createdAt} show="relative" /> },
        ]}
      />
    </Panel>
  );
}
