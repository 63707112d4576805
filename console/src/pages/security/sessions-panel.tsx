// Where the signed-in person is signed in, and ending what should not be.

import { ConfirmButton } from '../../components/confirm-button.tsx';
import { deviceInWords, LiveSessions } from '../../components/live-sessions.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import type { FactorsProps } from './codes-panel.tsx';

export function SessionsPanel({ onChanged }: Pick<FactorsProps, 'onChanged'>) {
  const sessions = useOp('listOwnSessions', {}, { asOperator: true });
  const end = useDo('endOwnSession', { asOperator: true, done: say('The session has ended') });
  const endOthers = useDo('endOtherSessions', { asOperator: true, done: say('All other sessions have ended') });
  const items = sessions.data?.items ?? [];
  return (
    <Panel
      title={say('Sessions')}
      flush
      actions={
        items.length > 1 ? (
          <ConfirmButton
            label={say('End all others')}
            question={say('End all other sessions?')}
            danger
            onConfirm={async () => {
              await endOthers.mutateAsync({});
              await onChanged([]);
            }}
          >
            {say('Every other browser has to sign in again. This one stays signed in.')}
          </ConfirmButton>
        ) : null
      }
    >
      {sessions.error ? <Problem error={sessions.error} retry={() => sessions.refetch()} /> : null}
      <LiveSessions
        sessions={items}
        actions={(s) =>
          s.current ? null : (
            <ConfirmButton
              label={say('End')}
              size="xs"
              question={say('End the session of {device}?', { device: deviceInWords(s.device) })}
              danger
              onConfirm={() => end.mutateAsync({ sessionId: s.sessionId })}
            >
              {say('That browser has to sign in again.')}
            </ConfirmButton>
          )
        }
      />
    </Panel>
  );
}
