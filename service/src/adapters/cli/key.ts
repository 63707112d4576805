// assay key: API keys of an account. A key is printed when it is issued and never again.
import type { Output as Answer } from '@assay/client';
import { isoTime } from '../../core/calendar.ts';
import { scopes } from '../../core/scopes.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Command, call, group, moment, needed, option, reason, wholeNumber } from './command.ts';
import type { Output } from './output.ts';

/** Most hours that a rotated key may continue to work: a leap year. */
const maxGraceHours = 8784;
const scoped = () => option('--scopes <scope...>', 'what it may do; everything without it').choices(scopes);
const remark = 'Keep the key: it is not shown again.';

function showIssued(out: Output, key: Answer<'issueKey'>): void {
  out.facts([
    ['Key', key.keyId],
    ['Name', key.name],
    ['Expires', key.expiresAt ?? 'never'],
    ['Scopes', key.scopes.join(', ')],
    ...(key.mode === 'test' ? [['Test account', key.clientId] as const] : []),
    ['API key', key.apiKey],
  ]);
}

const showMade = (out: Output, made: Answer<'listKeyMade'>['items']): void =>
  out.table(made, [
    { title: 'Type', value: (m) => m.type },
    { title: 'Id', value: (m) => m.id },
    { title: 'Name', value: (m) => m.name },
    { title: 'Made by', value: (m) => m.madeBy },
    { title: 'Made', value: (m) => m.madeAt },
    { title: 'State', value: (m) => (m.active ? 'active' : 'ended') },
  ]);

function stateOf(key: { revokedAt: string | null; expiresAt: string | null }): string {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'live';
  return Date.parse(key.expiresAt) <= systemClock() ? 'expired' : 'live';
}

export function keyCommands(program: Command): void {
  const key = group(program, 'key', 'API keys');
  call(
    key,
    'create <accountId>',
    'issue a further key',
    [
      needed('--name <name>', 'what it is for'),
      option(
        '--mode <mode>',
        "test: a key of the account's own account for tests; without it a key of the account named",
      ).choices(['live', 'test']),
      option('--expires <time>', 'when it ends: 2027-01-01 or 2027-01-01T00:00:00Z', 'expiresAt').argParser(moment),
      scoped(),
    ],
    'issueKey',
    { show: showIssued, remark },
  ).alias('issue');
  call(
    key,
    'rotate <accountId>',
    'issue a new key and let the others expire after the grace',
    [
      option('--name <name>', 'what it is for; "rotation" and the date without it'),
      option('--grace-hours <n>', 'hours the old keys still work; 0 ends them at once')
        .argParser(wholeNumber(0, maxGraceHours))
        .default(24),
      scoped(),
    ],
    'issueKey',
    {
      fields: ({ name, ...given }) => ({
        ...given,
        name: String(name ?? '').trim() || `rotation ${isoTime(systemClock()).slice(0, 10)}`,
      }),
      shape: ({ keyId, apiKey, name, replaced }) => ({ keyId, apiKey, name, replaced }),
      show(out, made) {
        showIssued(out, made);
        for (const old of made.replaced ?? []) out.line(`${old.keyId} (${old.name}) ends ${old.expiresAt}`);
      },
      remark,
    },
  );
  call(key, 'list <accountId>', 'keys of an account, newest first', [], 'listKeys', {
    show: (out, list) =>
      out.table(list.items, [
        { title: 'Key', value: (k) => k.keyId },
        { title: 'Name', value: (k) => k.name },
        { title: 'Scopes', value: (k) => k.scopes.join(', ') },
        { title: 'State', value: stateOf },
        { title: 'Created', value: (k) => k.createdAt },
        { title: 'Expires', value: (k) => k.expiresAt },
        { title: 'Revoked', value: (k) => k.revokedAt },
        { title: 'Last used', value: (k) => k.lastUsedAt },
        { title: 'From', value: (k) => k.lastUsedNetwork },
      ]),
  });
  call(
    key,
    'revoke <keyId>',
    'revoke a key; refused everywhere within a second',
    [
      reason(),
      option('--end-made-since <time>', 'after a leak: also end what the key made from then on').argParser(moment),
    ],
    'revokeKey',
    {
      show(out, done) {
        out.line(`${done.keyId} revoked ${done.revokedAt}`);
        if (done.made) showMade(out, done.made);
      },
    },
  );
  call(
    key,
    'made <keyId>',
    'what a key made that outlives it, oldest first',
    [option('--since <time>', 'only from then on').argParser(moment)],
    'listKeyMade',
    { show: (out, list) => showMade(out, list.items) },
  );
}
