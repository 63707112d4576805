// The process `assay`: passes its arguments, streams and signals to the command line, and ends with its exit code.
import { readFileSync } from 'node:fs';
import { assay } from './assay.ts';
import { exitCodes } from './exit-codes.ts';

/** SIGHUP: the terminal was closed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// A closed pipe, as with `| head`, is not an error.
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
// After an error, a connection that is still open could keep the process alive, so the process is ended here.
if (exitCode !== exitCodes.ok) process.stderr.write('', () => process.stdout.write('', () => process.exit(exitCode)));
