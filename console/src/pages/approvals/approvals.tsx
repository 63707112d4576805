// All that waits for a second person, and the acts that the first one then does: keys of operators, operators, authorities
// and erasures of persons. Rates, rules and levels are looked at and decided on pages of their own.

import { Anchor, Group, Input, SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ShownOnceDialog } from '../../components/shown-once-dialog.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useFilters } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { isId, pageOfLocated } from '../../data/places.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { LetIn } from '../authorities/let-in.tsx';
import { kinds } from './kinds.ts';
import { MakeAuthority } from './make-authority.tsx';
import { MakeErasure } from './make-erasure.tsx';
import { MakeKey, MakeOperator } from './make-key.tsx';
import { ProposeErasure } from './propose-erasure.tsx';
import { ProposeKey, ProposeOperator } from './propose-key.tsx';

type Proposal = Content<'listProposals'>['items'][number];

const parts = [
  { value: 'WAITING', label: say('All that wait') },
  { value: 'ERASURE', label: say('Erasures') },
  { value: 'OPERATOR_KEY', label: say('Keys of operators') },
  { value: 'OPERATOR', label: say('Operators') },
  { value: 'AUTHORITY', label: say('Authorities') },
] as const;

const meaning = {
  ERASURE: say('What is stored about the person can then be made unreadable, once, by the person who proposed it.'),
  OPERATOR_KEY: say('The person who proposed it can then issue the key, once, and is the only one to see it.'),
  AUTHORITY: say('The person who proposed it can then let the authority in, once.'),
  OPERATOR: say('The person who proposed it can then create the operator, once, and is the only one to see its key.'),
} as const;

/** What the person who proposed it calls then. */
const making = {
  ERASURE: 'eraseSubject',
  OPERATOR_KEY: 'issueKey',
  AUTHORITY: 'createAuthority',
  OPERATOR: 'createOperator',
} as const;

/** Whether the one who proposed it does it, once it is approved: what comes into force by itself is decided elsewhere. */
const isMade = ({ kind }: Proposal): boolean => kind in making;

export default function Approvals() {
  const [filters, set] = useFilters();
  const { isOperator } = usePsp();
  const may = useMay('openProposal');
  const part = isOperator ? (parts.find((p) => p.value === filters.kind)?.value ?? 'WAITING') : 'ERASURE';
  const pages = usePages('listProposals', part === 'WAITING' ? { state: 'OPEN' } : { kind: part }, {
    asOperator: true,
  });
  const actorOf = useActorNames();
  const [key, setKey] = useState<string>();
  return (
    <>
      <PageHeader
        title={say('Approvals')}
        lead={say(
          "What one person proposes and another approves before it is done. Both sign in, and neither may have made the other's sign-in.",
        )}
      />
      {isOperator ? (
        <Input.Wrapper label={say('What')} mb="md">
          <SegmentedControl
            display="flex"
            aria-label={say('What')}
            data={[...parts]}
            value={part}
            onChange={(v) => set({ kind: v === 'WAITING' ? undefined : v })}
          />
        </Input.Wrapper>
      ) : null}
      <Panel
        title={parts.find((p) => p.value === part)?.label ?? ''}
        actions={may && part !== 'WAITING' ? <Propose kind={part} /> : null}
        flush
      >
        <DataTable
          label={say('Proposals')}
          pages={pages}
          rowKey={(p) => p.proposalId}
          empty={
            <Empty title={part === 'WAITING' ? say('Nothing waits') : say('Nothing was proposed')}>
              {say('What is proposed waits here for a second person.')}
            </Empty>
          }
          columns={[
            { key: 'what', header: say('What'), cell: (p) => <Subject proposal={p} /> },
            { key: 'state', header: say('State'), cell: (p) => <StatusBadge status={p.state} /> },
            { key: 'why', header: say('Why'), cell: (p) => p.reason },
            { key: 'by', header: say('Proposed by'), cell: (p) => actorOf(p.proposedBy) },
            { key: 'at', header: say('Proposed'), cell: (p) => <Stamp at={p.createdAt} /> },
            {
              key: 'act',
              header: '',
              align: 'right',
              cell: (p) => (isMade(p) ? may && <Acts proposal={p} onKey={setKey} /> : <Elsewhere of={p} />),
            },
          ]}
        />
      </Panel>
      <ShownOnceDialog
        title={say('The key of the operator')}
        name={say('API key')}
        value={key}
        onClose={() => setKey(undefined)}
      />
    </>
  );
}

/** An erasure names nobody: only its PSP, and a hash by which two proposals are distinguished. */
function Subject({ proposal: { kind, subject } }: { readonly proposal: Proposal }) {
  const [id = '', ...rest] = subject.split(' ');
  if (!(kind in making)) return `${kinds[kind]} ${subject}`;
  if (kind === 'OPERATOR' || (kind === 'AUTHORITY' && !isId(subject))) return subject;
  return (
    <Group gap={6} wrap="nowrap">
      {kind === 'ERASURE' ? say('A person of') : rest.join(' ')} <Id value={id} what={say('account id')} />
    </Group>
  );
}

/** Where a change of rules, rates or levels is looked at and decided. */
function Elsewhere({ of: { kind, proposalId } }: { readonly of: Proposal }) {
  const to = pageOfLocated({ kind: 'proposal', id: proposalId, name: kind });
  return to === undefined ? null : (
    <Anchor component={Link} to={to} size="sm">
      {say('Look and decide')}
    </Anchor>
  );
}

function Propose({ kind }: { readonly kind: Exclude<(typeof parts)[number]['value'], 'WAITING'> }) {
  if (kind === 'AUTHORITY') return <LetIn />;
  if (kind === 'ERASURE') return <ProposeErasure />;
  return kind === 'OPERATOR' ? <ProposeOperator /> : <ProposeKey />;
}

interface ActsProps {
  readonly proposal: Proposal;
  readonly onKey: (apiKey: string) => void;
}

function Acts({ proposal: p, onKey }: ActsProps) {
  const { user } = useMe();
  const mayMake = useMay(making[p.kind as keyof typeof making]);
  const approve = useDo('approveProposal', { asOperator: true, done: say('Approved') });
  const reject = useDo('rejectProposal', { asOperator: true, done: say('Rejected') });
  const own = p.proposedBy === user.userId;
  if (p.state === 'APPROVED' && own && mayMake) return <Make proposal={p} onKey={onKey} />;
  if (p.state !== 'OPEN') return null;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {own ? null : (
        <ConfirmButton
          label={say('Approve')}
          size="xs"
          question={say('Approve this?')}
          reason="optional"
          onConfirm={(reason) => approve.mutateAsync({ proposalId: p.proposalId, ...(reason ? { reason } : {}) })}
        >
          {meaning[p.kind as keyof typeof meaning]}
        </ConfirmButton>
      )}
      <ConfirmButton
        label={own ? say('Take back') : say('Reject')}
        size="xs"
        question={own ? say('Take this back?') : say('Reject this?')}
        reason="required"
        onConfirm={(reason) => reject.mutateAsync({ proposalId: p.proposalId, reason })}
      />
    </Group>
  );
}

function Make({ proposal, onKey }: ActsProps) {
  if (proposal.kind === 'ERASURE') return <MakeErasure proposal={proposal} />;
  if (proposal.kind === 'AUTHORITY') return <MakeAuthority proposal={proposal} />;
  return proposal.kind === 'OPERATOR' ? (
    <MakeOperator proposal={proposal} onKey={onKey} />
  ) : (
    <MakeKey proposal={proposal} onKey={onKey} />
  );
}
