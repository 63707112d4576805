// assay key: API keys of an account. A key is printed when it is issued and never again.
import type { Command } from 'commander';
import { accountFromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { type ListedKey, rotateKey } from '../../modules/accounts/index.ts';
import {
  issueAccountKey,
  listAccountKeys,
  revokeAccountKey,
} from '../../modules/accounts/operations/administration.ts';
import { add, group, moment, needed, option, wholeNumber } from './command.ts';
import type { Output } from './output.ts';
import { withSession } from './session.ts';

interface Issued {
  readonly keyId: string;
  readonly apiKey: string;
  readonly name: string;
  readonly expiresAt?: string | null;
  readonly mode?: string;
  readonly clientId?: string;
}

/** The longest a rotated key may go on working: a year. */
const maxGraceHours = 8784;

function printIssued(out: Output, key: Issued, more: () => void = () => undefined): void {
  out.result(key, () => {
    out.facts([
      ['Key', key.keyId],
      ['Name', key.name],
      ['Expires', key.expiresAt ?? 'never'],
      ...(key.mode === 'test' ? [['Test account', key.clientId] as const] : []),
      ['API key', key.apiKey],
    ]);
    more();
  });
  out.remark('Keep the key: it is not shown again.');
}

function stateOf(key: ListedKey, now: number): string {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'live';
  return Date.parse(key.expiresAt) <= now ? 'expired' : 'live';
}

export function keyCommands(program: Command): void {
  const key = group(program, 'key', 'API keys');
  add<{ name: string; expires?: string; mode: string }>(
    key,
    'create <accountId>',
    'issue a further key',
    [
      needed('--name <name>', 'what it is for'),
      option('--mode <mode>', "test: a key of the account's own account for tests")
        .choices(['live', 'test'])
        .default('live'),
      option('--expires <time>', 'when it ends: 2027-01-01 or 2027-01-01T00:00:00Z').argParser(moment),
    ],
    (out, { name, expires, mode }, accountId) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(issueAccountKey, {
          params: { accountId: accountId as string },
          body: { name, expiresAt: expires, mode },
          options: { expiresAt: '--expires', mode: '--mode' },
        });
        printIssued(out, content as Issued);
      }),
  ).alias('issue');
  add<{ name?: string; graceHours: number }>(
    key,
    'rotate <accountId>',
    'issue a new key and let the others expire after the grace',
    [
      option('--name <name>', 'what it is for; "rotation" and the date without it'),
      option('--grace-hours <n>', 'hours the old keys still work; 0 ends them at once')
        .argParser(wholeNumber(0, maxGraceHours))
        .default(24),
    ],
    (out, { name, graceHours }, accountId) =>
      withSession(out, async (session) => {
        const id = accountFromWire(accountId as string);
        if (!id) throw notFound();
        const called = name?.trim() || `rotation ${new Date(session.now).toISOString().slice(0, 10)}`;
        const { services, principal, now } = session;
        const made = await rotateKey(services, principal, id, called.slice(0, 100), graceHours * 3_600_000, now);
        printIssued(out, made, () => {
          for (const old of made.replaced) out.line(`${old.keyId} (${old.name}) ends ${old.expiresAt}`);
        });
      }),
  );
  add(key, 'list <accountId>', 'keys of an account, newest first', [], (out, _options, accountId) =>
    withSession(out, async (session) => {
      const { content } = await session.ask(listAccountKeys, { params: { accountId: accountId as string } });
      const list = content as { items: readonly ListedKey[] };
      out.result(list, () =>
        out.table<ListedKey>(
          [
            { title: 'Key', value: (k) => k.keyId },
            { title: 'Name', value: (k) => k.name },
            { title: 'State', value: (k) => stateOf(k, session.now) },
            { title: 'Created', value: (k) => k.createdAt },
            { title: 'Expires', value: (k) => k.expiresAt },
            { title: 'Revoked', value: (k) => k.revokedAt },
            { title: 'Last used', value: (k) => k.lastUsedAt },
            { title: 'From', value: (k) => k.lastUsedNetwork },
          ],
          list.items,
        ),
      );
    }),
  );
  add<{ reason: string }>(
    key,
    'revoke <keyId>',
    'revoke a key; refused everywhere within a second',
    [needed('--reason <text>', 'why; kept in the journal')],
    (out, { reason }, keyId) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(revokeAccountKey, {
          params: { keyId: keyId as string },
          body: { reason },
        });
        const done = content as { keyId: string; revokedAt: string };
        out.result(done, () => out.line(`${done.keyId} revoked ${done.revokedAt}`));
      }),
  );
}
