// The command line `assay`: its groups of commands, and what an end of each kind looks like to the caller.
import { Command } from 'commander';
import { version } from '../../platform/version.ts';
import { exitCodes, exitHelp, outcomeOf, Unsound } from './exit-codes.ts';

/** By the name of the command, in the order of the help page. */
const groups: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  psp: async () => (await import('./psp.ts')).pspCommands,
  client: async () => (await import('./client.ts')).clientCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  operator: async () => (await import('./operator.ts')).operatorCommands,
  user: async () => (await import('./user.ts')).userCommands,
  standing: async () => (await import('./standing.ts')).standingCommands,
  sftp: async () => (await import('./sftp.ts')).sftpCommands,
  cdr: async () => (await import('./cdr.ts')).cdrCommands,
  webhook: async () => (await import('./webhook.ts')).webhookCommands,
  report: async () => (await import('./report.ts')).reportCommands,
  totals: async () => (await import('./totals.ts')).totalsCommands,
  fee: async () => (await import('./rates.ts')).feeCommands,
  'master-key': async () => (await import('./master-key.ts')).masterKeyCommands,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  tax: async () => (await import('./tax.ts')).taxCommands,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./backup.ts')).restoreCommand,
  audit: async () => (await import('./audit.ts')).auditCommands,
  'verify-receipt': async () => (await import('./verify-receipt.ts')).verifyReceiptCommand,
  erase: async () => (await import('./erase.ts')).eraseCommand,
  demo: async () => (await import('./demo/demo.ts')).demoCommand,
};

const program = new Command('assay')
  .description(
    'Administers Assay. Works beside the running service and without it, on the same settings: DATABASE_URL, or the embedded database in DATA_DIR.',
  )
  .version(version, '--version', 'prints the version')
  .exitOverride()
  .showHelpAfterError('(--help says more)')
  .addHelpText('afterAll', exitHelp);

// A command that is named needs its own group alone; whoever asks for something else is shown all of them.
const named = process.argv[2] ?? '';
const asked = Object.hasOwn(groups, named) ? groups[named] : undefined;
for (const commands of await Promise.all((asked ? [asked] : Object.values(groups)).map((load) => load())))
  commands(program);

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (e: NodeJS.ErrnoException) => {
  if (e.code === 'EPIPE') process.exit(exitCodes.ok);
  throw e;
});

try {
  // Help and version are for what exists: a mistyped command with --help is still mistyped.
  if (named !== '' && named !== 'help' && !named.startsWith('-') && !asked)
    program.error(`error: unknown command '${named}'`);
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
