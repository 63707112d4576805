// The seal of a PSP's journal: the last signed checkpoint, and the public key to check it with.
import { Box, Button, CopyButton, Group, Text } from '@mantine/core';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import classes from '../../components/text.module.css';
import { useOp } from '../../data/use-op.ts';

export function Checkpoint() {
  const checkpoint = useOp('getCheckpoint', {}, { every: 5000 });
  const key = useOp('getAuditKey');
  const failed = checkpoint.error ?? key.error;
  if (failed && !(checkpoint.data && key.data))
    return <Problem error={failed} retry={() => void Promise.all([checkpoint.refetch(), key.refetch()])} />;
  const { data } = checkpoint;
  return (
    <Panel
      title="The seal"
      actions={
        data ? (
          <CopyButton value={data.checkpoint}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy checkpoint'}
              </Button>
            )}
          </CopyButton>
        ) : null
      }
    >
      <Facts
        columns={2}
        items={[
          ['Entries sealed', data?.size.toLocaleString('en')],
          ['Sealed', <Stamp key="at" at={data?.sealedAt} show="both" />],
          ['Root', <Id key="root" value={data?.root} what="root hash" />],
          ['Log key', <Id key="key" value={key.data?.key} what="log key" />],
        ]}
      />
      <Group mt="sm" gap="xs">
        <Text size="sm" c="dimmed">
          An auditor who kept this checkpoint elsewhere can tell whether anything before it was changed.
        </Text>
      </Group>
      {data ? (
        <Box
          component="pre"
          className={classes.json}
          tabIndex={0}
          role="region"
          aria-label="Signed checkpoint"
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
