// The seal of a PSP's journal: the last signed checkpoint, and the public key to check it with.

import { Box, Button, CopyButton, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import classes from '../../components/text.module.css';
import { useMay } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { ReplaceKey } from './replace-key.tsx';

export function Checkpoint() {
  const checkpoint = useOp('getCheckpoint', {}, { every: 5000 });
  const key = useOp('getAuditKey');
  const mayReplace = useMay('rotateAuditKey');
  const failed = checkpoint.error ?? key.error;
  if (failed && !(checkpoint.data && key.data))
    return <Problem error={failed} retry={() => void Promise.all([checkpoint.refetch(), key.refetch()])} />;
  const { data } = checkpoint;
  return (
    <Panel
      title={say('The seal')}
      actions={
        <Group gap="xs">
          {mayReplace ? <ReplaceKey /> : null}
          {data ? (
            <CopyButton value={data.checkpoint}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" onClick={copy}>
                  {copied ? say('Copied') : say('Copy checkpoint')}
                </Button>
              )}
            </CopyButton>
          ) : null}
        </Group>
      }
    >
      <Facts
        columns={2}
        items={[
          [say('Entries sealed'), data?.size.toLocaleString(locale)],
          [say('Sealed'), <Stamp key="at" at={data?.sealedAt} show="both" />],
          [say('Root'), <Id key="root" value={data?.root} what={say('root hash')} />],
          [say('Log key'), <Id key="key" value={key.data?.key} what={say('log key')} />],
          ...(key.data?.former ?? []).map((k): [string, ReactNode] => [
            k.signsUntil === null ? say('Key that leaked, replaced') : say('Key before, signs until'),
            <Group key={k.key} gap="xs">
              <Stamp at={k.signsUntil ?? k.replacedAt} />
              <Id value={k.key} what={say('log key')} />
            </Group>,
          ]),
        ]}
      />
      <Group mt="sm" gap="xs">
        <Text size="sm" c="dimmed">
          {say('An auditor who kept this checkpoint elsewhere can tell whether anything before it was changed.')}
        </Text>
      </Group>
      {data ? (
        <Box
          component="pre"
          className={classes.json}
          tabIndex={0}
          role="region"
          aria-label={say('Signed checkpoint')}
          mt="sm"
          mb={0}
          p="sm"
        >
          {data.checkpoint}
        </Box>
      ) : null}
    </Panel>
  );
}
