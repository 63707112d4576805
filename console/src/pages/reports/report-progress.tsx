// Progress of a running report.

import { Box } from '@mantine/core';
import { Progress } from '../../components/progress.tsx';
import { say } from '../../words/words.ts';
import { type Report, timeLeft } from './shown.ts';

export function ReportProgress({ report }: { readonly report: Pick<Report, 'state' | 'progress'> }) {
  const { percent, etaSeconds } = report.progress;
  const label = report.state === 'QUEUED' ? say('Waits') : timeLeft(etaSeconds) || say('Being made');
  return (
    <Box miw={170}>
      <Progress label={label} done={percent} total={100} unit={say('parts')} />
    </Box>
  );
}
