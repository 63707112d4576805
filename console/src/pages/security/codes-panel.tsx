// The authenticator app and the recovery codes of the signed-in person.

import { Group, Stack, Text } from '@mantine/core';
import { CodesForm } from '../../components/codes-form.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

export interface FactorsProps {
  readonly factors: Content<'getSecondFactors'>;
  /** Called with new recovery codes, if there are any. */
  readonly onChanged: (recoveryCodes: readonly string[]) => Promise<void>;
}

export function CodesPanel({ factors, onChanged }: FactorsProps) {
  const remove = useDo('removeCodes', { asOperator: true, done: say('The authenticator app is removed') });
  const renew = useDo('renewRecoveryCodes', { asOperator: true });
  const has = factors.codesSince !== null || factors.passkeys.length > 0;
  const app = factors.codesSince ? <SetUpSince at={factors.codesSince} /> : say('Not set up');
  return (
    <Panel title={say('Second factor')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {factors.required
            ? say('A second factor is required of you.')
            : say('With a second factor, a stolen password lets nobody in.')}
        </Text>
        <Facts
          columns={2}
          items={[
            [say('Authenticator app'), app],
            has && [say('Recovery codes left'), String(factors.recoveryCodesLeft)],
          ]}
        />
        {factors.codesSince ? null : <CodesForm onDone={onChanged} />}
        {has ? (
          <Group gap="xs">
            {factors.codesSince ? (
              <ConfirmButton
                label={say('Remove the app')}
                question={say('Remove the authenticator app?')}
                danger
                onConfirm={async () => {
                  await remove.mutateAsync({});
                  await onChanged([]);
                }}
              >
                {say('Its codes stop working, and your other sessions end.')}
              </ConfirmButton>
            ) : null}
            <ConfirmButton
              label={say('New recovery codes')}
              question={say('Make new recovery codes?')}
              onConfirm={async () => onChanged((await renew.mutateAsync({})).recoveryCodes)}
            >
              {say('The ones that you have stop working.')}
            </ConfirmButton>
          </Group>
        ) : null}
      </Stack>
    </Panel>
  );
}

const SetUpSince = ({ at }: { readonly at: string }) => (
  <Group gap={8}>
    <StatusBadge status="ACTIVE" label={say('Set up')} />
    <Stamp at={at} show="both" />
  </Group>
);
