// Wallets on hold: the list, placing a hold by an address, and ending one that was placed by hand.

import { Anchor, Button, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { InForce } from '../../components/in-force.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { Stamp } from '../../components/stamp.tsx';
import type { Content } from '../../data/assay.ts';
import { useFilters } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

type Hold = Content<'listWalletHolds'>['items'][number];

const above = [{ title: say('Risk rules'), to: '/risk' }];

export default function Wallets() {
  const [{ inForce }, setFilters] = useFilters();
  const pages = usePages('listWalletHolds', inForce ? { inForce: 'true' } : {});
  const works = useMay('administrator', 'reviewer');
  const actorOf = useActorNames();
  const setter = (by: string) => (by.startsWith('rule:') ? say('rule {id}', { id: by.slice(5) }) : actorOf(by));
  return (
    <>
      <PageHeader
        title={say('Wallets on hold')}
        above={above}
        lead={say(
          'Crypto payments to and from these wallets are declined, for every client. Clients read that the risk policy does not allow it, and nothing of the hold.',
        )}
        actions={works ? <HoldWallet /> : null}
      />
      <FilterBar>
        <Select
          label={say('State')}
          placeholder={say('Any')}
          clearable
          data={[{ value: 'true', label: say('In force') }]}
          value={inForce ?? null}
          onChange={(v) => setFilters({ inForce: v ?? undefined })}
        />
      </FilterBar>
      <Panel title={say('Holds')} flush>
        <DataTable
          label={say('Wallets on hold')}
          pages={pages}
          rowKey={(h) => h.holdId}
          empty={
            <Empty title={say('No wallet is on hold')}>
              {say('A rule, a case or a person puts one on hold. To find the records of an address, search for it.')}
            </Empty>
          }
          columns={[
            { key: 'wallet', header: say('Wallet'), cell: (h) => <Wallet of={h} /> },
            {
              key: 'state',
              header: say('State'),
              cell: (h) => <InForce is={h.inForce} />,
            },
            { key: 'reason', header: say('Reason'), cell: (h) => h.reason },
            { key: 'by', header: say('By'), cell: (h) => setter(h.setBy) },
            { key: 'at', header: say('Placed'), cell: (h) => <Stamp at={h.createdAt} show="short" /> },
            {
              key: 'until',
              header: say('Until'),
              cell: (h) => (h.until === null ? say('No end') : <Stamp at={h.until} show="short" />),
              wideOnly: true,
            },
            { key: 'end', header: '', cell: (h) => (works ? <Ending of={h} /> : null) },
          ]}
        />
      </Panel>
    </>
  );
}

/** The address where one was given, and otherwise the payment that names it. */
function Wallet({ of: h }: { readonly of: Hold }) {
  return h.transactionId === null ? (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {h.address}
    </Text>
  ) : (
    <Anchor component={Link} to={`/transactions/${h.transactionId}`} size="sm">
      {say('named by a payment')}
    </Anchor>
  );
}

/** What a case or rule placed is ended from its case, by two. */
function Ending({ of: h }: { readonly of: Hold }) {
  const end = useDo('releaseWalletHold', { done: say('The hold is ended') });
  if (!h.inForce) return null;
  if (h.caseId !== null)
    return (
      <Anchor component={Link} to={`/cases/${h.caseId}`} size="sm">
        {say('In its case')}
      </Anchor>
    );
  return (
    <ConfirmButton
      label={say('End')}
      question={say('End the hold?')}
      reason="required"
      danger
      size="xs"
      onConfirm={(reason) => end.mutateAsync({ holdId: h.holdId, reason })}
    >
      {say('Payments to and from the wallet pass at once, unless another hold of it is in force.')}
    </ConfirmButton>
  );
}

function HoldWallet() {
  const [opened, { open, close }] = useDisclosure(false);
  const [address, setAddress] = useState('');
  const [reason, setReason] = useState('');
  const hold = useDo('holdWallet', { done: say('The wallet is on hold') });
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (await hold.mutateAsync({ address: address.trim(), reason: reason.trim() }).catch(() => undefined)) {
      close();
      setAddress('');
      setReason('');
    }
  }
  return (
    <>
      <Button onClick={open}>{say('Put a wallet on hold')}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={say('Put a wallet on hold')}
        closeButtonProps={{ 'aria-label': say('Close') }}
      >
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={say('Address')}
              description={say('Stored sealed. Capital or small letters are the same wallet.')}
              required
              maxLength={200}
              value={address}
              onChange={(e) => setAddress(e.currentTarget.value)}
            />
            <ReasonField
              description={say('Kept in the journal with your name: name no persons.')}
              maxLength={500}
              value={reason}
              onChange={(e) => setReason(e.currentTarget.value)}
            />
            <DialogActions
              label={say('Put on hold')}
              busy={hold.isPending}
              disabled={address.trim() === '' || reason.trim() === ''}
              onCancel={close}
              color="brick"
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
