// The progress of a call detail file: rows, per cent and time left while it is processed, and its counts afterwards.
import { Box } from '@mantine/core';
import { Progress } from '../../components/progress.tsx';
import { type CdrFile, duration, inWork } from './parts.ts';

export function FileProgress({ file }: { readonly file: Pick<CdrFile, 'state' | 'progress' | 'counts'> }) {
  const { progress, counts, state } = file;
  if (!inWork(state)) return <>{counts.total.toLocaleString('en')}</>;
  const label =
    state === 'QUEUED' ? 'Waits' : progress.etaSeconds === null ? 'In work' : `${duration(progress.etaSeconds)} left`;
  return (
    <Box miw={180} ta="left">
      <Progress label={label} done={progress.done} total={progress.lines} unit="lines" />
    </Box>
  );
}
