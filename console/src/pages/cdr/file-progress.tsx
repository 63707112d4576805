// The progress of a call detail file: rows, per cent and time left while it is processed, and its counts afterwards.

import { Box } from '@mantine/core';
import { Progress } from '../../components/progress.tsx';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { type CdrFile, duration, inWork } from './parts.ts';

export function FileProgress({ file }: { readonly file: Pick<CdrFile, 'state' | 'progress' | 'counts'> }) {
  const { progress, counts, state } = file;
  if (!inWork(state)) return <>{counts.total.toLocaleString(locale)}</>;
  const label =
    state === 'QUEUED'
      ? say('Waits')
      : progress.etaSeconds === null
        ? say('In work')
        : say('{etaSeconds} left', { etaSeconds: duration(progress.etaSeconds) });
  return (
    <Box miw={180} ta="left">
      <Progress label={label} done={progress.done} total={progress.lines} unit={say('lines')} />
    </Box>
  );
}
