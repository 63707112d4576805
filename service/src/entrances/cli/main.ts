// The command line `assay`: its groups of commands, and what an end of each kind looks like to the caller.
import { Command } from 'commander';
import { auditCommands } from './audit.ts';
import { cdrCommands } from './cdr.ts';
import { clientCommands } from './client.ts';
import { eraseCommand } from './erase.ts';
import { exitCodes, exitHelp, outcomeOf, Unsound } from './exit-codes.ts';
import { keyCommands } from './key.ts';
import { masterKeyCommands } from './master-key.ts';
import { migrateCommand } from './migrate.ts';
import { operatorCommands } from './operator.ts';
import { pspCommands } from './psp.ts';
import { feeCommands } from './rates.ts';
import { reportCommands } from './report.ts';
import { sftpCommands } from './sftp.ts';
import { standingCommands } from './standing.ts';
import { taxCommands } from './tax.ts';
import { totalsCommands } from './totals.ts';
import { verifyReceiptCommand } from './verify-receipt.ts';
import { webhookCommands } from './webhook.ts';

const program = new Command('assay')
  .description(
    'Administers Assay. Works beside the running service and without it, on the same settings: DATABASE_URL, or the embedded database in DATA_DIR.',
  )
  .exitOverride()
  .showHelpAfterError('(--help says more)')
  .addHelpText('afterAll', exitHelp);

pspCommands(program);
clientCommands(program);
keyCommands(program);
operatorCommands(program);
standingCommands(program);
sftpCommands(program);
cdrCommands(program);
webhookCommands(program);
reportCommands(program);
totalsCommands(program);
feeCommands(program);
masterKeyCommands(program);
migrateCommand(program);
taxCommands(program);
auditCommands(program);
verifyReceiptCommand(program);
eraseCommand(program);

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (e: NodeJS.ErrnoException) => {
  if (e.code === 'EPIPE') process.exit(exitCodes.ok);
  throw e;
});

try {
  await program.parseAsync();
} catch (e) {
  const { exitCode, code, message } = outcomeOf(e);
  // A finding has printed its document already, and a usage error has none to give.
  const answered = !message || e instanceof Unsound || exitCode === exitCodes.usage;
  const document =
    !answered && process.argv.includes('--json')
      ? `${JSON.stringify({ success: false, code, message }, null, 2)}\n`
      : '';
  // What broke may have left a connection open, which would keep the process waiting for nothing.
  process.stderr.write(message ? `assay: ${message}\n` : '', () =>
    process.stdout.write(document, () => process.exit(exitCode)),
  );
}
