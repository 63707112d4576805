// A server under test in a separate process: `real`, `memory` (the same server without the database) or `baseline` (one
// commit per request). Prints its port, then serves until its input ends. Asked by a signal, prints how often V8 has
// collected its whole heap (SIGHUP), or how much is left of it after that (SIGUSR2).
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { makeApp } from '../service/src/app.ts';
import type { Command, Facts } from '../service/src/platform/committer.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { readSettings } from '../service/src/settings.ts';
import { makeBaseline } from './baseline.ts';

const [mode, databaseUrl, dataDir] = process.argv.slice(2) as [string, string, string];

if (mode === 'baseline') {
  console.log(JSON.stringify({ port: await makeBaseline(databaseUrl, dataDir) }));
} else {
  const settings = readSettings({
    ...process.env,
    PORT: '0',
    CDR_SFTP: 'off',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    RATE_PER_SECOND: process.env.RATE_PER_SECOND ?? '1000000',
    RATE_BURST: process.env.RATE_BURST ?? '1000000',
    LOG_LEVEL: 'warn',
  });
  const app = await makeApp({ settings, log: makeLog('warn') });
  if (mode === 'memory') answerFromMemory(app.services as unknown as { committer: unknown });
  const address = await app.listen();
  console.log(JSON.stringify({ port: Number(new URL(address).port) }));
}

/** Needed for a full garbage collection, after which the process prints the memory that remains. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  collect();
  console.log(JSON.stringify({ keptMiB: process.memoryUsage().heapUsed / 2 ** 20 }));
});

let fullCollections = 0;
new PerformanceObserver((list) => {
  for (const e of list.getEntries())
    if ((e as unknown as { detail: NodeGCPerformanceDetail }).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
      fullCollections++;
}).observe({ entryTypes: ['gc'] });
process.on('SIGHUP', () => console.log(JSON.stringify({ fullCollections })));

process.stdin.resume();
process.stdin.on('end', () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }));
  process.exit(0);
});

/** Replaces the committer by one that decides from memory and answers without writing. */
function answerFromMemory(services: { committer: unknown }): void {
  const known = new Map<string, unknown>();
  const real = services.committer as { submit(c: Command): Promise<unknown> };
  services.committer = {
    depth: 0,
    async submit(command: Command) {
      const facts: Facts = (n) =>
        n.presumeAbsent ? undefined : ((n.loader.peek?.(n.key) ?? known.get(n.loader.text(n.key))) as never);
      const decided = command.decide(facts);
      // The first call of an account finds nothing in memory, so the real committer loads it.
      if (decided instanceof Error) return real.submit(command);
      return decided.reply;
    },
  };
}
