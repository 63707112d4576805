// Proposed changes of rates: what each would put in force; approved or rejected by another person.
import { Button, FileButton, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useActorNames } from '../../data/people.ts';
import { useMay, useMe } from '../../data/session.tsx';
import { tellRefusal, useDo, usePropose } from '../../data/use-do.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { MakeCorrection, ProposeCorrection } from './corrections.tsx';

const kinds = { TAX: 'Taxes of', FEE: 'Fee row', FEE_END: 'End of fee row', CORRECTION: 'Correction of' } as const;

export function Proposals() {
  const may = useMay('administrator');
  const { user } = useMe();
  const pages = usePages('listProposals', {}, { asOperator: true });
  const approve = useDo('approveProposal', { asOperator: true, done: 'The proposal is approved' });
  const actorOf = useActorNames();
  const reject = useDo('rejectProposal', { asOperator: true, done: 'Rejected' });
  return (
    <Panel
      title="Proposals"
      actions={
        may ? (
          <Group gap={6}>
            <ProposeCorrection />
            <ProposeTaxes />
          </Group>
        ) : null
      }
      flush
    >
      <DataTable
        label="Proposals"
        pages={pages}
        rowKey={(p) => p.proposalId}
        empty={<Empty title="Nothing was proposed">A change of rates waits here for a second person.</Empty>}
        columns={[
          { key: 'what', header: 'What', cell: (p) => `${kinds[p.kind]} ${p.subject}` },
          { key: 'state', header: 'State', cell: (p) => <StatusBadge status={p.state} /> },
          { key: 'why', header: 'Why', cell: (p) => p.reason },
          {
            key: 'by',
            header: 'By',
            cell: (p) => actorOf(p.proposedBy),
            wideOnly: true,
          },
          { key: 'at', header: 'Proposed', cell: (p) => <Stamp at={p.createdAt} show="relative" /> },
          {
            key: 'act',
            header: '',
            align: 'right',
            cell: (p) => (
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <Look proposalId={p.proposalId} />
                {may && p.kind === 'CORRECTION' && p.state === 'APPROVED' ? (
                  <MakeCorrection proposalId={p.proposalId} subject={p.subject} />
                ) : null}
                {may && p.state === 'OPEN' ? (
                  <>
                    {p.proposedBy === user.userId ? null : (
                      <ConfirmButton
                        label="Approve"
                        size="xs"
                        question={`Approve: ${kinds[p.kind]} ${p.subject}?`}
                        reason="optional"
                        onConfirm={(reason) =>
                          approve.mutateAsync({ proposalId: p.proposalId, ...(reason ? { reason } : {}) })
                        }
                      >
                        {p.kind === 'CORRECTION'
                          ? 'It can be made then; approving adjusts nothing yet.'
                          : 'It prices and taxes what is submitted from the next moment on.'}
                      </ConfirmButton>
                    )}
                    <ConfirmButton
                      label={p.proposedBy === user.userId ? 'Take back' : 'Reject'}
                      size="xs"
                      question={`${p.proposedBy === user.userId ? 'Take back' : 'Reject'} ${p.subject}?`}
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
    </Panel>
  );
}

function Look({ proposalId }: { readonly proposalId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const { data, error } = useOp('getProposal', { proposalId }, { asOperator: true, enabled: opened });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Look
      </Button>
      <Modal opened={opened} onClose={close} title="What it would put in force" size="xl">
        {error ? <Problem error={error} /> : null}
        {data ? <JsonView label="Proposed rates" value={data.proposed} /> : null}
      </Modal>
    </>
  );
}

/** A country's rules are a file made and reviewed elsewhere; here it is read, checked by the service and proposed. */
function ProposeTaxes() {
  const [opened, { open, close }] = useDisclosure(false);
  const [file, setFile] = useState<{ name: string; country: object }>();
  const [reason, setReason] = useState('');
  const propose = usePropose();
  async function read(chosen: File | null) {
    if (!chosen) return;
    try {
      setFile({ name: chosen.name, country: JSON.parse(await chosen.text()) as object });
    } catch (error) {
      tellRefusal(error);
    }
  }
  async function send() {
    if (!file) return;
    const made = await propose
      .mutateAsync({ reason: reason.trim(), country: file.country as never })
      .catch(() => undefined);
    if (!made) return;
    setFile(undefined);
    setReason('');
    close();
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Propose a country's taxes
      </Button>
      <Modal opened={opened} onClose={close} title="Supersede a country's taxes">
        <Stack>
          <FileButton onChange={(f) => void read(f)} accept="application/json,.json">
            {(props) => (
              <Button variant="default" {...props}>
                {file ? file.name : 'Choose the country file (JSON)'}
              </Button>
            )}
          </FileButton>
          <Textarea
            label="Reason"
            required
            autosize
            minRows={2}
            value={reason}
            onChange={(e) => setReason(e.currentTarget.value)}
          />
          <Button onClick={() => void send()} disabled={!file || reason.trim() === ''} loading={propose.isPending}>
            Propose
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
