// assay audit: recomputes the journal and compares it with everything that was sealed; prints the keys with which
// others check receipts.
import { resolve } from 'node:path';
import { Flaw } from '../../core/audit/flaw.ts';
import { parseKey } from '../../core/audit/note.ts';
import { fromWire, toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { audit, CheckpointFolder, type PspAudit } from '../../modules/audit/index.ts';
import { type LackingDuties, lackingDuties } from '../../modules/corrections/index.ts';
import { type CallsLackingDuties, callsLackingDuties } from '../../modules/telecom/index.ts';
import { sha256 } from '../../platform/hashing.ts';
import { add, type Command, call, group, needed, option } from './command.ts';
import { Unsound, UsageError } from './exit-codes.ts';
import { withApp } from './local.ts';
import type { Output } from './output.ts';

interface VerifyOptions {
  readonly psp?: string;
  readonly checkpoints?: readonly string[];
  readonly key?: string;
}

const several = (value: string, before: readonly string[] = []): string[] => [...before, value];

function pspOf(text: string): string {
  const psp = fromWire('psp', text);
  if (!psp) throw new UsageError(`--psp must be a PSP's id such as psp_01h455vb4pex5vsknk084sn02q, not '${text}'`);
  return psp;
}

/** @throws UsageError for a folder without checkpoints, with which nothing would be compared */
async function keptIn(cwd: string, path: string): Promise<CheckpointFolder> {
  const folder = new CheckpointFolder(resolve(cwd, path));
  if ((await folder.psps()).length === 0)
    throw new UsageError(`--checkpoints: ${path} has no checkpoints of any PSP; name the folder that has those of all`);
  return folder;
}

/** Whether nothing at all is known of a PSP: neither its journal nor a checkpoint of it. */
const unknown = (a: PspAudit): boolean => a.entries + a.sealed + a.inside + a.outside + a.findings.length === 0;

function keyOf(text: string) {
  const key = parseKey(sha256, text);
  if (key instanceof Flaw) throw new UsageError(`--key: ${key.message}`);
  return key;
}

const shown = (a: PspAudit, lacking: readonly LackingDuties[], calls: readonly CallsLackingDuties[]) => ({
  pspId: toWire('psp', a.psp),
  entries: a.entries,
  sealed: a.sealed,
  checkpoints: { stored: a.inside, outside: a.outside },
  findings: a.findings.map(({ code, seq, message }) => ({ code, entry: seq ?? null, message })),
  remarks: [
    ...a.remarks,
    // With a finding the comparison may be incomplete, so the remark would say too much.
    ...(a.findings.length === 0 && a.outside === 0 && a.sealed > 0
      ? ['no checkpoint outside the database was compared: that everything was rewritten at once cannot be excluded']
      : []),
    ...lacking.map(({ country, rule, transactions, from, to }) => {
      const client = `--client ${toWire('psp', a.psp)}`;
      const set = Object.entries({ countryCode: country, from, to, rule }).map(([k, v]) => `--set ${k}=${v}`);
      return `${transactions} approved payments in ${country} lack the duty ${rule} that the rules in force have for them: 'assay report create rateCorrection ${client} ${set.join(' ')}' lists them, and 'assay tax correct ${client} --country ${country} --from ${from} --to ${to} --rule ${rule} --reason "not recorded then"' records it`;
    }),
    ...calls.map(
      (c) =>
        `${c.calls} calls in ${c.country} were analysed without what is due on them by return: 'assay cdr analyse --rebuild --psp ${toWire('psp', a.psp)}' works it out`,
    ),
  ],
});

/** Prints progress on a terminal, every 100,000 entries. */
function progressOn(out: Output) {
  let next = 0;
  return (psp: string, entries: number, of: number): void => {
    if (!out.around.stderr.isTTY || entries < next) return;
    next = entries + 100_000;
    out.remark(`${toWire('psp', psp)}: ${entries} of ${of} entries`);
  };
}

export function auditCommands(program: Command): void {
  const commands = group(program, 'audit', 'the seal of the journal');
  add<VerifyOptions>(
    commands,
    'verify',
    'recompute the whole journal and compare it with everything that was sealed of it; names the first bad entry',
    [
      option('--psp <pspId>', 'only this PSP'),
      option(
        '--checkpoints <folder>',
        'checkpoints kept elsewhere, beside those under DATA_DIR; may be repeated',
      ).argParser(several),
      option('--key <key>', 'the key as you noted it earlier; without it the one in the database is believed'),
    ],
    async (out, options) => {
      const psp = options.psp === undefined ? undefined : pspOf(options.psp);
      const pinned = options.key === undefined ? undefined : keyOf(options.key);
      const kept = await Promise.all((options.checkpoints ?? []).map((path) => keptIn(out.around.cwd, path)));
      await withApp(out, async ({ services: s }) => {
        const own = new CheckpointFolder(resolve(out.around.cwd, s.settings.dataDir, 'checkpoints'));
        const results: ReturnType<typeof shown>[] = [];
        for await (const one of audit({
          db: s.db,
          psp,
          folders: [own, ...kept],
          pinned,
          progress: progressOn(out),
        })) {
          if (psp !== undefined && unknown(one)) throw notFound();
          results.push(
            shown(
              one,
              await lackingDuties(s.db, s, one.psp),
              // Calls that were changed are not analysed again.
              one.findings.length > 0 ? [] : await callsLackingDuties(s.db, s, one.psp),
            ),
          );
        }
        const bad = results.filter((r) => r.findings.length > 0);
        out.result({ sound: bad.length === 0, psps: results }, () => {
          out.table(results, [
            { title: 'PSP', value: (r) => r.pspId },
            { title: 'Entries', value: (r) => r.entries, right: true },
            { title: 'Sealed', value: (r) => r.sealed, right: true },
            { title: 'Checkpoints', value: (r) => r.checkpoints.stored, right: true },
            { title: 'Outside', value: (r) => r.checkpoints.outside, right: true },
            { title: 'Findings', value: (r) => r.findings.length, right: true },
          ]);
          for (const r of bad) for (const f of r.findings) out.line(`${r.pspId} ${f.code}: ${f.message}`);
          for (const r of results) for (const text of r.remarks) out.remark(`${r.pspId}: ${text}`);
        });
        if (bad.length > 0) throw new Unsound(`the journal of ${bad.length} of ${results.length} PSPs is not sound`);
      });
    },
  );
  call(
    commands,
    'key',
    "print the public key of a PSP's log, as verify-receipt takes it",
    [needed('--psp <pspId>', 'whose log')],
    'getAuditKey',
    { as: 'psp', check: ({ psp }) => void pspOf(String(psp)), show: (out, { key }) => out.line(key) },
  );
  call(
    commands,
    'rotate-key',
    'replace the key that signs checkpoints and with them receipts',
    [
      needed('--reason <text>', 'why, for the journal'),
      option('--both-for-days <n>', 'days for which the former key signs too (default: 90)').argParser(Number),
      option('--leaked', 'somebody else may hold the former key: it ends at once'),
    ],
    'rotateAuditKey',
    {
      show: (out, { next, bothUntil }) => {
        out.line(next);
        out.remark(
          bothUntil === null
            ? 'The former key signs nothing any more. Tell those who check receipts the new one where they trust it.'
            : `The former key signs too until ${bothUntil}. Those who check receipts find the new one by getAuditKey.`,
        );
      },
    },
  );
}
