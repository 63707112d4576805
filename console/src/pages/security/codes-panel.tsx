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

export interface FactorsProps {
  readonly factors: Content<'getSecondFactors'>;
  /** Called with new recovery codes, if there are any. */
  readonly onChanged: (recoveryCodes: readonly string[]) => Promise<void>;
}

export function CodesPanel({ factors, onChanged }: FactorsProps) {
  const remove = useDo('removeCodes', { asOperator: true, done: 'The authenticator app is removed' });
  const renew = useDo('renewRecoveryCodes', { asOperator: true });
  const has = factors.codesSince !== null || factors.passkeys.length > 0;
  const app = factors.codesSince ? <SetUpSince at={factors.codesSince} /> : 'Not set up';
  return (
    <Panel title="Second factor">
      <Stack>
        <Text size="sm" c="dimmed">
          {factors.required
            ? 'A second factor is required of you.'
            : 'With a second factor, a stolen password lets nobody in.'}
        </Text>
        <Facts
          columns={2}
          items={[['Authenticator app', app], has && ['Recovery codes left', String(factors.recoveryCodesLeft)]]}
        />
        {factors.codesSince ? null : <CodesForm onDone={onChanged} />}
        {has ? (
          <Group gap="xs">
            {factors.codesSince ? (
              <ConfirmButton
                label="Remove the app"
                question="Remove the authenticator app?"
                danger
                onConfirm={async () => {
                  await remove.mutateAsync({});
                  await onChanged([]);
                }}
              >
                Its codes stop working, and your other sessions end.
              </ConfirmButton>
            ) : null}
            <ConfirmButton
              label="New recovery codes"
              question="Make new recovery codes?"
              onConfirm={async () => onChanged((await renew.mutateAsync({})).recoveryCodes)}
            >
              The ones that you have stop working.
            </ConfirmButton>
          </Group>
        ) : null}
      </Stack>
    </Panel>
  );
}

const SetUpSince = ({ at }: { readonly at: string }) => (
  <Group gap={8}>
    <StatusBadge status="ACTIVE" label="Set up" />
    <Stamp at={at} show="both" />
  </Group>
);
