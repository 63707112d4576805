// Proposed changes of rates and of clients' levels: what each would put in force; approved or rejected by another person.

import type { Item } from '@assay/client';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useFocusBack } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFilters } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { useMay, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { kinds } from '../approvals/kinds.ts';
import { Changes } from '../risk/changes.tsx';
import { Replay } from '../risk/replay.tsx';
import { MakeCorrection, ProposeCorrection } from './corrections.tsx';
import { Effect } from './effect.tsx';
import { ProposeFile } from './propose-file.tsx';
import { ProposeRates } from './propose-rates.tsx';
import { RowDiff } from './row-diff.tsx';
import type { TaxFile } from './tax-file.ts';

type Proposal = Item<'listProposals', string>;

const pricesOrTaxes = say('It prices and taxes what is submitted from the next moment on.');
const whatApprovingDoes = {
  TAX: pricesOrTaxes,
  FEE: pricesOrTaxes,
  FEE_END: pricesOrTaxes,
  CORRECTION: say('It can be made then; approving adjusts nothing yet.'),
  RISK: say('The rule looks at what is recorded from the next moment on.'),
  LEVEL: say('The client has the level from then on, if what it asks for is still shown.'),
  OPERATOR: say('The person who proposed it can then create it, once.'),
  OPERATOR_KEY: say('The person who proposed it can then issue it, once.'),
  AUTHORITY: say('The person who proposed it can then let it in, once.'),
  ERASURE: say('The person who proposed it can then erase the person, once.'),
} as const;

export function Proposals() {
  const [filters, setFilters] = useFilters();
  const [looked, setLooked] = useState<Proposal>();
  const may = useMay('approveProposal');
  const mayCorrect = useMay('correctRates');
  const { user } = useMe();
  const pages = usePages('listProposals', {}, { asOperator: true });
  const approve = useDo('approveProposal', { asOperator: true, done: say('The proposal is approved') });
  const actorOf = useActorNames();
  const reject = useDo('rejectProposal', { asOperator: true, done: say('Rejected') });
  if (may && filters.propose) return <ProposeRates country={filters.propose} />;
  return (
    <Panel
      title={say('Proposals')}
      actions={
        may ? (
          <Group gap={6}>
            <Button size="xs" onClick={() => setFilters({ propose: 'NG' })}>
              {say('Propose a tax change')}
            </Button>
            <ProposeCorrection />
            <ProposeFile />
          </Group>
        ) : null
      }
      flush
    >
      <DataTable
        label={say('Proposals')}
        pages={pages}
        rowKey={(p) => p.proposalId}
        empty={
          <Empty title={say('Nothing was proposed')}>{say('A change of rates waits here for a second person.')}</Empty>
        }
        columns={[
          { key: 'what', header: say('What'), cell: (p) => `${kinds[p.kind]} ${p.subject}` },
          { key: 'state', header: say('State'), cell: (p) => <StatusBadge status={p.state} /> },
          { key: 'why', header: say('Why'), cell: (p) => p.reason },
          {
            key: 'by',
            header: say('By'),
            cell: (p) => actorOf(p.proposedBy),
            wideOnly: true,
          },
          { key: 'at', header: say('Proposed'), cell: (p) => <Stamp at={p.createdAt} show="relative" /> },
          {
            key: 'act',
            header: '',
            align: 'right',
            cell: (p) => (
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <Button size="xs" variant="default" onClick={() => setLooked(p)}>
                  {say('Look')}
                </Button>
                {mayCorrect && p.kind === 'CORRECTION' && p.state === 'APPROVED' ? (
                  <MakeCorrection proposalId={p.proposalId} subject={p.subject} />
                ) : null}
                {may && p.state === 'OPEN' ? (
                  <>
                    {p.proposedBy === user.userId ? null : (
                      <ConfirmButton
                        label={say('Approve')}
                        size="xs"
                        question={say('Approve: {kinds} {subject}?', { kinds: kinds[p.kind], subject: p.subject })}
                        reason="optional"
                        onConfirm={(reason) =>
                          approve.mutateAsync({ proposalId: p.proposalId, ...(reason ? { reason } : {}) })
                        }
                      >
                        {whatApprovingDoes[p.kind]}
                      </ConfirmButton>
                    )}
                    <ConfirmButton
                      label={p.proposedBy === user.userId ? say('Take back') : say('Reject')}
                      size="xs"
                      question={say('{proposedBy} {subject}?', {
                        proposedBy: p.proposedBy === user.userId ? say('Take back') : say('Reject'),
                        subject: p.subject,
                      })}
                      reason="required"
                      onConfirm={(reason) => reject.mutateAsync({ proposalId: p.proposalId, reason })}
                    />
                  </>
                ) : null}
              </Group>
            ),
          },
        ]}
      />
      {/* Outside of the rows, which are made anew when the window gets narrow. */}
      {looked ? <Look proposal={looked} onClose={() => setLooked(undefined)} /> : null}
    </Panel>
  );
}

/** What a proposal would put in force, and what it would have changed last month. */
function Look({
  proposal: { proposalId, state },
  onClose,
}: {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}) {
  useFocusBack();
  const { data, error } = useOp('getProposal', { proposalId }, { asOperator: true });
  const [before, after] = [data?.inForce, data?.proposed] as unknown as [TaxFile | null, TaxFile];
  return (
    <Modal opened onClose={onClose} title={say('What it would put in force')} size="xl">
      {error ? <Problem error={error} /> : null}
      {data?.kind === 'TAX' ? (
        <Stack>
          <RowDiff before={before ?? undefined} after={after} />
          {state === 'OPEN' ? <Effect proposalId={proposalId} /> : null}
          <details>
            <summary>{say('The whole file')}</summary>
            <JsonView label={say('Proposed rates')} value={data.proposed} />
          </details>
        </Stack>
      ) : null}
      {data?.kind === 'RISK' ? (
        <Stack>
          <Changes before={data.inForce ?? undefined} after={data.proposed} />
          {state === 'OPEN' ? <Replay proposalId={proposalId} /> : null}
        </Stack>
      ) : null}
      {data && data.kind !== 'TAX' && data.kind !== 'RISK' ? (
        <JsonView label={say('Proposed rates')} value={data.proposed} />
      ) : null}
    </Modal>
  );
}
