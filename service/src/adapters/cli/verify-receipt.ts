// assay verify-receipt: checks a receipt with only the file and the key, without the service or the database.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Flaw } from '../../core/audit/flaw.ts';
import { nextKey } from '../../core/audit/key-change.ts';
import { formatKey, parseKey } from '../../core/audit/note.ts';
import { type SealedEntry, verifyReceipt } from '../../core/audit/receipt.ts';
import { toWire } from '../../core/ids.ts';
import { debtorWords } from '../../core/tax/duty.ts';
import type { TaxDebtor } from '../../core/tax/rule.ts';
import { primitives } from '../../platform/hashing.ts';
import { add, type Command, needed, option } from './command.ts';
import { Unsound, UsageError } from './exit-codes.ts';
import type { CommandEnvironment } from './surroundings.ts';

function textOf({ cwd, stdin }: CommandEnvironment, path: string): string {
  try {
    return path === '-' ? stdin() : readFileSync(resolve(cwd, path), 'utf8');
  } catch (e) {
    throw new UsageError(`${path} could not be read: ${(e as Error).message}`);
  }
}

function jsonOf(around: CommandEnvironment, path: string): unknown {
  try {
    return JSON.parse(textOf(around, path));
  } catch (e) {
    if (e instanceof UsageError) throw e;
    throw new UsageError(`${path} is not JSON: ${(e as Error).message}`);
  }
}

/** The main values of an entry's body, for a person to read; the body itself was verified. */
function told(e: SealedEntry) {
  let body: { timestamp?: unknown; data?: Record<string, unknown>; evidence?: { tax?: readonly ReceiptTax[] } };
  try {
    body = JSON.parse(e.body);
  } catch {
    body = {};
  }
  const { status, reason, ref, totalAmount, amount, currency } = body.data ?? {};
  return {
    entry: e.seq,
    kind: e.kind,
    at: body.timestamp,
    status,
    reason,
    ref,
    amount: totalAmount ?? amount,
    currency,
    due: (body.evidence?.tax ?? []).flatMap(({ rule, tax, owedBy }) =>
      owedBy === undefined
        ? []
        : [`${tax} ${currency} by ${rule}, no part of the amount: ${debtorWords[owedBy]} owes it by a return`],
    ),
  };
}

/** A tax in an entry, as far as it is read here. */
interface ReceiptTax {
  readonly rule: string;
  readonly tax: string;
  readonly owedBy?: TaxDebtor;
}

/** A key and those that took its place, by the notes about their changes. */
function followed(key: string, changes: readonly string[]): string[] | Flaw {
  let last = parseKey(primitives.sha256, key);
  const keys = [key];
  for (const note of changes) {
    if (last instanceof Flaw) return last;
    last = nextKey(note, last, primitives);
    if (last instanceof Flaw) return last;
    keys.push(formatKey(last));
  }
  return keys;
}

export function verifyReceiptCommand(program: Command): void {
  add<{ key: string; change?: readonly string[] }>(
    program,
    'verify-receipt <file>',
    'check a receipt offline; - reads it from stdin',
    [
      needed('--key <key>', "the log's key, as GET /v1/audit/key gives it, from a source you trust"),
      option(
        '--change <file>',
        'a change of the key since, as GET /v1/audit/key gives it (repeatable, in order)',
      ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
    ],
    (out, { key, change = [] }, file) => {
      const invalid = ({ code, message }: Flaw) => {
        out.result({ valid: false, code, message }, () => undefined);
        return new Unsound(`not valid: ${message}`);
      };
      const receipt = jsonOf(out.around, file as string);
      const keys = followed(
        key,
        change.map((path) => textOf(out.around, path)),
      );
      if (keys instanceof Flaw) throw invalid(keys);
      // The newest first: it is the one that signs now.
      const checked = keys.map((k) => verifyReceipt(receipt, k, primitives)).reverse();
      const verified = checked.find((r) => !(r instanceof Flaw)) ?? (checked[0] as Flaw);
      if (verified instanceof Flaw) throw invalid(verified);
      const { origin, size } = verified.checkpoint;
      const { portion } = verified;
      const entries = verified.entries.map(told);
      out.result({ valid: true, origin, size, entries: verified.entries, portion }, () => {
        out.line(`Valid: sealed in ${origin} under a checkpoint over ${size} entries.`);
        out.line();
        out.table(entries, [
          { title: 'Entry', value: (e) => e.entry, right: true },
          { title: 'What', value: (e) => e.kind },
          { title: 'When', value: (e) => e.at },
          { title: 'Ref', value: (e) => e.ref },
          {
            title: 'Amount',
            value: (e) => (e.amount === undefined ? undefined : `${e.amount} ${e.currency ?? ''}`),
            right: true,
          },
          { title: 'Status', value: (e) => e.status },
          { title: 'Reason', value: (e) => e.reason },
        ]);
        for (const { entry, due } of entries) for (const d of due) out.line(`Entry ${entry}: ${d}`);
        if (portion) {
          out.line();
          out.line(
            `The record ${toWire('cdr', portion.record)} is one of the ${portion.records.length} of this entry:`,
          );
          out.line(portion.text);
        }
      });
    },
  );
}
