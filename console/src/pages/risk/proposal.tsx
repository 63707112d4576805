// A proposed version of a rule, for the person who decides: what differs, what it would have matched, and the decision.

import { Group, Stack } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { useMay, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { Changes } from './changes.tsx';
import { Replay } from './replay.tsx';

const above = [{ title: say('Risk rules'), to: '/risk' }];

export default function RiskProposal() {
  const proposalId = usePath('proposalId');
  const { data: p, error, refetch } = useOp('getProposal', { proposalId }, { asOperator: true });
  const actorOf = useActorNames();
  if (error || !p) return <Unfetched title={say('Proposed version')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={say('Proposed: {subject}', { subject: p.subject })}
        above={above}
        beside={<StatusBadge status={p.state} />}
        lead={rich('{reason} · by {proposedBy} · {createdAt}', {
          reason: p.reason,
          proposedBy: actorOf(p.proposedBy),
          createdAt: <Stamp at={p.createdAt} show="both" />,
        })}
        actions={p.state === 'OPEN' ? <Decide of={p} /> : null}
      />
      <Stack>
        <Panel title={say('What changes')}>
          <Changes before={p.inForce ?? undefined} after={p.proposed} />
        </Panel>
        <Replay proposalId={proposalId} />
      </Stack>
    </>
  );
}

function Decide({ of: p }: { readonly of: Content<'getProposal'> }) {
  const { proposalId, subject } = p;
  const may = useMay('approveProposal');
  const own = useMe().user.userId === p.proposedBy;
  const approve = useDo('approveProposal', { asOperator: true, done: say('The rule is in force') });
  const reject = useDo('rejectProposal', { asOperator: true, done: own ? say('Taken back') : say('Rejected') });
  if (!may) return null;
  return (
    <Group gap={6}>
      {own ? null : (
        <ConfirmButton
          label={say('Approve')}
          question={say('Put {subject} in force?', { subject })}
          reason="optional"
          variant="filled"
          onConfirm={(reason) => approve.mutateAsync({ proposalId, ...(reason ? { reason } : {}) })}
        >
          {say('The rule looks at what is recorded from the next moment on.')}
        </ConfirmButton>
      )}
      <ConfirmButton
        label={own ? say('Take back') : say('Reject')}
        question={say('{own} {subject}?', { own: own ? say('Take back') : say('Reject'), subject })}
        reason="required"
        onConfirm={(reason) => reject.mutateAsync({ proposalId, reason })}
      />
    </Group>
  );
}
