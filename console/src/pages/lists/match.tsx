// One match: what was compared with which entry, the score, and the exception of a match that is of somebody else.

import { Anchor, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { percent } from '../../data/amounts.ts';
import { useActorNames } from '../../data/people.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { MatchBadge } from './matches.tsx';
import { NoScores, Scores } from './scores.tsx';
import { type Match, matchedKinds, purposes } from './words.ts';

interface Props {
  readonly of: Match;
  readonly onClose: () => void;
}

export function MatchDialog({ of: m, onClose }: Props) {
  const works = useMay('makeMatchException');
  const actorOf = useActorNames();
  const end = useDo('endMatchException', { done: say('The match is open again') });
  const { exception } = m;
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('Match with a list')}
      size="xl"
      closeButtonProps={{ 'aria-label': say('Close the match') }}
    >
      <Stack>
        <Facts
          columns={2}
          items={[
            [matchedKinds[m.matched], m.asked],
            [say('Listed as'), m.name || m.ref],
            [say('Score'), percent(m.score)],
            [say('State'), <MatchBadge key="state" of={m} />],
            [
              say('List'),
              <Anchor key="list" component={Link} to={`/lists/${m.list}`} inherit>
                {m.list}
              </Anchor>,
            ],
            [say('For'), purposes[m.purpose]],
            [
              say('Entry'),
              say('{ref}, as it was at its revision {entryRevision}', { ref: m.ref, entryRevision: m.entryRevision }),
            ],
            [say('Client'), <ClientName key="client" id={m.clientId} />],
            m.transactionId !== null && [
              say('Found in'),
              <Id key="txn" value={m.transactionId} what={say('transaction id')} />,
            ],
            [say('Found'), <Stamp key="at" at={m.createdAt} />],
            [say('Match'), <Id key="id" value={m.matchId} what={say('match id')} />],
          ]}
        />
        {m.fields.length > 0 ? <Scores of={m.fields} label={say('Score')} /> : <NoScores />}
        {exception ? (
          <Facts
            items={[
              [say('Somebody else, says'), actorOf(exception.by)],
              [say('Why'), exception.reason],
              [say('Since'), <Stamp key="since" at={exception.at} show="both" />],
              [
                say('Until'),
                exception.until === null ? say('The entry changes') : <Stamp key="until" at={exception.until} />,
              ],
            ]}
          />
        ) : null}
        {works && m.state === 'EXCEPTED' ? (
          <div>
            <ConfirmButton
              label={say('End the exception')}
              question={say('End the exception of this match?')}
              reason="required"
              onConfirm={(reason) => end.mutateAsync({ matchId: m.matchId, reason })}
            >
              {say('The match is open again.')}
            </ConfirmButton>
          </div>
        ) : null}
        {works && m.state === 'OPEN' ? <Except matchId={m.matchId} onCancel={onClose} /> : null}
      </Stack>
    </Modal>
  );
}

function Except({ matchId, onCancel }: { readonly matchId: string; readonly onCancel: () => void }) {
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const make = useDo('makeMatchException', { done: say('It opens no further alert') });
  function submit(event: FormEvent) {
    event.preventDefault();
    // The hook has shown the refusal; the input stays.
    make.mutate({ matchId, reason: reason.trim(), ...(until ? { until: `${until}T00:00:00Z` } : {}) });
  }
  return (
    <form onSubmit={submit} aria-label={say('Exception')}>
      <Stack gap="sm">
        <Text fw={600}>{say('Is it somebody else?')}</Text>
        <Textarea
          label={say('Why it is somebody else')}
          description={say('Kept in the journal with your name, in clear: name no persons in it.')}
          required
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        <TextInput
          label={say('Until')}
          type="date"
          description={say('Empty: until the entry of the list changes. The day begins in UTC.')}
          value={until}
          onChange={(e) => setUntil(e.currentTarget.value)}
        />
        <DialogActions
          label={say('It is somebody else')}
          busy={make.isPending}
          disabled={reason.trim() === ''}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
