// Lists of accounts for psp and client: as many pages of the admin operation as were asked for.
import { listAllAccounts } from '../../modules/accounts/operations/list-accounts.ts';
import { option, wholeNumber } from './command.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';

/** An account as the operations show it. */
export interface ShownAccount {
  readonly clientId: string;
  readonly registeredName: string;
  readonly registrationNumber: string | null;
  readonly classification: string | null;
  readonly countryCode: string | null;
  readonly organizationTin: string | null;
  readonly verificationLevel: string;
  readonly operationalStanding: string;
  readonly acceptable: boolean;
  readonly reason: string | null;
  readonly flags: readonly Flag[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Flag {
  readonly id: string;
  readonly code: string;
  readonly reason: string;
  readonly blocking: boolean;
  readonly since: string;
  readonly until: string | null;
}

interface Page {
  readonly items: readonly ShownAccount[];
  readonly nextCursor: string | null;
}

export interface ListOptions {
  readonly limit: number;
  readonly cursor?: string;
}

const largestPage = 200;

export const listOptions = () => [
  option('--limit <n>', 'most entries to list').argParser(wholeNumber(1, 1_000_000)).default(1000),
  option('--cursor <cursor>', 'go on after the page before: its nextCursor'),
];

export async function listAccounts(
  session: Session,
  options: ListOptions,
  filter: { kind: 'psp' | 'client'; pspId?: string | undefined },
): Promise<Page> {
  const items: ShownAccount[] = [];
  let cursor: string | null = options.cursor ?? null;
  do {
    const limit = Math.min(largestPage, options.limit - items.length);
    const query = { ...filter, limit, ...(cursor === null ? {} : { cursor }) };
    const page = (await session.ask(listAllAccounts, { query })).content as Page;
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < options.limit);
  return { items, nextCursor: cursor };
}

/** A client on a blocking hold is not called active: its transactions are declined. */
const standingOf = (a: ShownAccount): string =>
  a.operationalStanding === 'ACTIVE' && !a.acceptable && a.flags.some((f) => f.blocking)
    ? 'ON_HOLD'
    : a.operationalStanding;

/** Prints a list, newest first, and says when there is more. */
export function showAccounts(out: Output, page: Page, noun: string): void {
  out.result(page, () => {
    if (page.items.length === 0) return out.line(`no ${noun}s`);
    out.table<ShownAccount>(
      [
        { title: 'Id', value: (a) => a.clientId },
        { title: 'Name', value: (a) => a.registeredName },
        { title: 'Country', value: (a) => a.countryCode },
        ...(noun === 'client' ? [{ title: 'Classification', value: (a: ShownAccount) => a.classification }] : []),
        { title: 'Standing', value: standingOf },
        { title: 'Level', value: (a) => a.verificationLevel },
        { title: 'Acceptable', value: (a) => a.acceptable },
        { title: 'Since', value: (a) => a.createdAt.slice(0, 10) },
      ],
      page.items,
    );
  });
  if (page.nextCursor !== null) out.remark(`there are more; go on with --cursor ${page.nextCursor}`);
}

/** Prints one account with its holds. */
export function showAccount(out: Output, a: ShownAccount): void {
  out.facts([
    ['Id', a.clientId],
    ['Name', a.registeredName],
    ['Registration', a.registrationNumber],
    ['Country', a.countryCode],
    ['Classification', a.classification],
    ['Tax number', a.organizationTin],
    ['Standing', standingOf(a)],
    ['Level', a.verificationLevel],
    ['Acceptable', a.reason === null ? 'yes' : `no: ${a.reason}`],
    ['Created', a.createdAt],
    ['Changed', a.updatedAt],
  ]);
  if (a.flags.length === 0) return;
  out.line();
  out.table<Flag>(
    [
      { title: 'Hold', value: (f) => f.id },
      { title: 'Code', value: (f) => f.code },
      { title: 'Blocks', value: (f) => f.blocking },
      { title: 'From', value: (f) => f.since },
      { title: 'Until', value: (f) => f.until },
      { title: 'Reason', value: (f) => f.reason },
    ],
    a.flags,
  );
}
