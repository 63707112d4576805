// The process `assay`: hands the command line what belongs to this process, and ends with its exit code.
import { readFileSync } from 'node:fs';
import { assay } from './assay.ts';
import { exitCodes } from './exit-codes.ts';

/** SIGHUP: the terminal is closed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (e: NodeJS.ErrnoException) => {
  if (e.code === 'EPIPE') process.exit(exitCodes.ok);
  throw e;
});

const exitCode = await assay(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: () => readFileSync(0, 'utf8'),
  stdout: process.stdout,
  stderr: process.stderr,
  onEnding(call) {
    for (const signal of endings) process.once(signal, call);
    return () => {
      for (const signal of endings) process.off(signal, call);
    };
  },
});
// What broke may have left a connection open, which would keep the process waiting for nothing.
if (exitCode !== exitCodes.ok) process.stderr.write('', () => process.stdout.write('', () => process.exit(exitCode)));
