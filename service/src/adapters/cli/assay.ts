// The command line `assay`: loads groups of commands, runs one command and reports its outcome by message and exit
// code.
import { version } from '../../platform/version.ts';
import { type Command, Program } from './command.ts';
import { exitCodes, exitHelp, outcomeOf, Unsound } from './exit-codes.ts';
import type { CommandEnvironment, TextStream } from './surroundings.ts';

/** Groups by the name of the command, in the order of the help page. */
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
  asset: async () => (await import('./rates.ts')).assetCommands,
  list: async () => (await import('./lists.ts')).listCommands,
  risk: async () => (await import('./risk.ts')).riskCommands,
  fx: async () => (await import('./exchange.ts')).exchangeCommands,
  'master-key': async () => (await import('./master-key.ts')).masterKeyCommands,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  tax: async () => (await import('./tax.ts')).taxCommands,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./backup.ts')).restoreCommand,
  archive: async () => (await import('./archive.ts')).archiveCommands,
  audit: async () => (await import('./audit.ts')).auditCommands,
  'verify-receipt': async () => (await import('./verify-receipt.ts')).verifyReceiptCommand,
  erase: async () => (await import('./erase.ts')).eraseCommand,
  demo: async () => (await import('../../../demo/demo.ts')).demoCommand,
};

function makeProgram(around: CommandEnvironment): Program {
  const { stdout, stderr } = around;
  const program = new Program(around);
  program
    .description(
      'Administers Assay. Works beside the running service and without it, on the same settings: DATABASE_URL, or the embedded database in DATA_DIR.',
    )
    .version(version, '--version', 'prints the version')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => columnsOf(stdout),
      getErrHelpWidth: () => columnsOf(stderr),
      getOutHasColors: () => stdout.isTTY === true,
      getErrHasColors: () => stderr.isTTY === true,
    })
    .exitOverride()
    .showHelpAfterError('(--help says more)')
    .addHelpText('afterAll', exitHelp);
  return program;
}

const plainColumns = 80;
const columnsOf = (stream: TextStream) => (stream.isTTY ? (stream.columns ?? plainColumns) : plainColumns);

/** The groups to load: one for a named command, none for the version, all for help. */
function groupsFor(named: string) {
  if (named === '--version') return [];
  const asked = Object.hasOwn(groups, named) ? groups[named] : undefined;
  return asked ? [asked] : Object.values(groups);
}

/**
 * Runs one command to its end.
 * @param args arguments after `assay`
 * @returns the exit code; an error has been printed
 */
export async function assay(args: readonly string[], around: CommandEnvironment): Promise<number> {
  const program = makeProgram(around);
  const named = args[0] ?? '';
  try {
    // An unknown command is an error even with --help or --version.
    if (named !== '' && named !== 'help' && !named.startsWith('-') && !Object.hasOwn(groups, named))
      program.error(`error: unknown command '${named}'`);
    for (const commands of await Promise.all(groupsFor(named).map((load) => load()))) commands(program);
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (e) {
    const { exitCode, code, message } = outcomeOf(e);
    if (message) around.stderr.write(`assay: ${message}\n`);
    // A failed check has printed its document already, and a usage error has none.
    const answered = !message || e instanceof Unsound || exitCode === exitCodes.usage;
    if (!answered && args.includes('--json'))
      around.stdout.write(`${JSON.stringify({ success: false, code, message }, null, 2)}\n`);
    return exitCode;
  }
}
