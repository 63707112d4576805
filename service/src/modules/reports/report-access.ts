// Access to reports: a client's key may request and see those about its client, a PSP's key those about the PSP and its
// clients, an operator's key all; in each case only the kinds for such a key.
import { accountFromWire, fromWire } from '../../core/ids.ts';
import type { View } from '../../core/oversight.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import { trades } from '../../core/standing.ts';
import {
  type Account,
  concernedAccount,
  findAccount,
  findAnyAccount,
  type HasAccounts,
  listedClient,
} from '../accounts/index.ts';
import { overseenFiling } from '../filing/index.ts';
import { reaches } from '../kernel/asked.ts';
import type { Call, Needs, Principal } from '../kernel/operation.ts';
import { reportKinds } from './kinds.ts';
import { findAnyReport, findReport, type Report } from './report-store.ts';

type Asking = Pick<Call, 'principal' | 'onBehalfOf'>;

export const kindsFor = (principal: Principal): string[] =>
  reportKinds.filter((k) => k.audience.includes(principal.kind)).map((k) => k.name);

/**
 * The account a new report is about.
 * @param named the account an operator names in the body
 * @throws Refusal
 */
export async function reportedAccount(s: Needs<'db'>, call: Asking, named: string | undefined): Promise<Account> {
  const { principal } = call;
  if (principal.kind === 'operator') {
    if (named === undefined) throw refuse('FIELD_INVALID', "the field 'clientId' must name the account concerned");
    const id = accountFromWire(named);
    const account = id && (await findAnyAccount(s.db, id));
    if (!account || !trades(account)) throw notFound();
    return account;
  }
  if (named !== undefined)
    throw refuse(
      'FIELD_INVALID',
      "the field 'clientId' is for an operator's key; a PSP's key names the client in the header x-client-id",
    );
  const id = concernedAccount(principal, call.onBehalfOf);
  const account = id instanceof Refusal ? undefined : await findAccount(s.db, principal.psp, id);
  if (!account) throw notFound();
  return account;
}

/** What a list of reports is limited to. @throws Refusal */
export async function listedReports(s: Needs<'db'> & HasAccounts, call: Asking, clientId: string | undefined) {
  const { principal } = call;
  const account = await listedClient(s, call, clientId);
  return { psp: principal.kind === 'operator' ? undefined : principal.psp, account, kinds: kindsFor(principal) };
}

/** The report in the path, if the key may see it. @throws NOT_FOUND */
export async function reportOf(s: Needs<'db'>, call: Asking & Pick<Call, 'params'>): Promise<Report> {
  const { principal } = call;
  const id = fromWire('report', call.params.reportId ?? '');
  if (principal.view !== undefined) return filedReport(s, principal.view, id);
  const found =
    id && (await (principal.kind === 'operator' ? findAnyReport(s.db, id) : findReport(s.db, principal.psp, id)));
  const visible = found && kindsFor(principal).includes(found.kind) && reaches(call, found.account);
  if (!visible) throw notFound();
  return found;
}

/** The report of a return that was filed with an authority. @throws NOT_FOUND */
async function filedReport(s: Needs<'db'>, view: View, id: string | undefined): Promise<Report> {
  const filing = id === undefined ? undefined : await overseenFiling(s, view, id);
  const found = filing && (await findReport(s.db, filing.psp, filing.report));
  if (!found) throw notFound();
  return found;
}
