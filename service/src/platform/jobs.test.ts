// Scheduled jobs: what is refused before anything runs. Their execution is tested with each job.
import { describe, expect, it } from 'vitest';
import { Pool } from './database.ts';
import { Jobs } from './jobs.ts';
import { makeLog } from './log.ts';

const log = makeLog('silent');
const jobs = (...crons: string[]) =>
  new Jobs(
    new Pool('postgres://nobody@127.0.0.1:1/none', { max: 1, log }),
    log,
    crons.map((cron, i) => ({ name: `job-${i}`, cron, run: async () => undefined })),
  );

describe('jobs at set times', () => {
  it.each(['99 * * * *', '* * * *', 'soon'])('refuse the time %s at once', (cron) => {
    expect(() => jobs('*/15 * * * *', cron)).toThrow();
  });

  it('ask for no database where there are none', async () => {
    const none = jobs();
    await none.start();
    await none.stop();
    expect(() => jobs('*/15 * * * *')).not.toThrow();
  });
});
