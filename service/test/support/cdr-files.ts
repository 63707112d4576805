// Call detail files for tests: rows that are valid until a test changes them, put where finished uploads are stored.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '../../src/core/cdr/record.ts';
import type { Account, TestApp } from './app.ts';

export type CdrRow = Readonly<Record<string, string>>;

/** A valid row; the number makes it unique. */
export const cdrRow = (n: number | string, change: CdrRow = {}): CdrRow => ({
  cdr_id: `CDR-${n}`,
  timestamp: '2026-11-21T09:02:05Z',
  caller_number: '+2348031234567',
  receiver_number: '+2348059876543',
  call_start_time: '2026-11-21T09:00:00Z',
  call_end_time: '2026-11-21T09:02:00Z',
  call_duration_seconds: '120',
  call_type: 'VOICE',
  call_status: 'COMPLETED',
  network_provider: 'MTN Nigeria',
  billing_information_call_cost: '24.50',
  billing_information_currency: 'NGN',
  ...change,
});

const used = Object.keys(cdrRow(0));
const quote = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const cdrHeader = used.join();
/** A line of the file. */
export const cdrLine = (row: CdrRow): string => used.map((c) => quote(row[c] ?? '')).join();
/** A header with every column. */
export const wideHeader = columns.join();
export const wideLine = (row: CdrRow): string => columns.map((c) => quote(row[c] ?? '')).join();

export const cdrText = (...rows: readonly (CdrRow | string)[]): string =>
  `${[cdrHeader, ...rows.map((r) => (typeof r === 'string' ? r : cdrLine(r)))].join('\n')}\n`;

/** Puts a finished upload into an account's drop. */
export function drop(dataDir: string, account: Account, name: string, content: string | Buffer): void {
  const folder = join(dataDir, 'cdr', 'incoming', account.uuid);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.part`), content);
  renameSync(join(folder, `${name}.part`), join(folder, name));
}

/** The status file of a call detail file. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever it says
export const status = (dataDir: string, account: Account, name: string): any =>
  JSON.parse(readFileSync(join(dataDir, 'cdr', 'status', account.uuid, `${name}.json`), 'utf8'));

/** Paths of all files in a folder of the call detail files. */
export function tree(dataDir: string, folder: string): string[] {
  try {
    return readdirSync(join(dataDir, 'cdr', folder), { recursive: true, withFileTypes: true })
      .filter((e) => e.isFile())
      .map((e) => join(e.parentPath, e.name))
      .sort();
  } catch {
    return [];
  }
}

export const dataDirOf = (t: TestApp): string => t.app.services.settings.dataDir;
