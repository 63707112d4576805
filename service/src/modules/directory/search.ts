// Finds what somebody may mean by a text, as far as they may see it: asks each index at once, and shows the hits alike.
import { dayMs } from '../../core/calendar.ts';
import { accountWire, fromWire, type IdKind, type PspId, timeOfId, toWire } from '../../core/ids.ts';
import { wireNumber } from '../../core/money.ts';
import { refuse, said } from '../../core/refusal.ts';
import { permits } from '../../core/scopes.ts';
import { readTerms, type SearchTerms } from '../../core/search/terms.ts';
import { unacceptable } from '../../core/standing.ts';
import { isHeldBy } from '../../core/wallets/wallet-hold.ts';
import { type Account, clientId, findTestAccount, reachOf } from '../accounts/index.ts';
import { archivedBefore } from '../kernel/archived.ts';
import type { Moments } from '../kernel/day-filter.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { findRequest } from '../requests/index.ts';
import type { HasRiskBook } from '../risk/index.ts';
import { plainForm } from '../search/index.ts';
import { holdsOfWallet } from '../wallets/index.ts';
import { type DirectoryUses, resolve } from './operations/resolve-id.ts';
import {
  allPsps,
  findByAmount,
  findByName,
  findByRef,
  findCases,
  findPersons,
  mostHits,
  type RecordHit,
  recordHits,
  refSpaces,
  type SearchScope,
} from './search-store.ts';

export type SearchUses = DirectoryUses & Needs<'subjects' | 'rates'> & HasRiskBook;

/** Days back in which an amount is searched for if none are named, and the longest time that may be named: 13 months. */
export const amountDays = 31;
export const mostAmountDays = 397;

export interface SearchAsked {
  readonly q: string;
  readonly from?: string;
  readonly to?: string;
}

interface Hit {
  readonly kind: IdKind | 'person' | 'request' | 'riskRule' | 'taxRule';
  readonly id: string;
  readonly pspId: string | null;
  readonly clientId: string | null;
  readonly title: string | null;
  readonly at: string | null;
  readonly amount: ReturnType<typeof wireNumber> | null;
  readonly currency: string | null;
  readonly status: string | null;
}

const hit = (h: Pick<Hit, 'kind' | 'id'> & Partial<Hit>): Hit => ({
  ...{ pspId: null, clientId: null, title: null, at: null, amount: null, currency: null, status: null },
  ...h,
});

const timeOf = (id: string) => new Date(timeOfId(id)).toISOString();

/** @returns the hits, and the time in which an amount was searched for: null if the text is none */
export async function search(s: SearchUses, call: Call, asked: SearchAsked) {
  const { principal } = call;
  const terms = readTerms(asked.q);
  const within = amountsWithin(asked, call.now);
  const scope = await scopeOf(s, call);
  const may = (area: 'payments' | 'records' | 'administration') => permits(principal.scopes, area, 'GET');
  const client = principal.kind === 'client';
  const parts = await Promise.all([
    ids(s, call, terms),
    may('administration') ? requests(s, scope, terms) : [],
    may('payments')
      ? amounts(s, scope, terms, asked.to === undefined ? { ...within, to: soon(call.now) } : within)
      : [],
    may('payments') ? refs(s, scope, terms) : [],
    may('administration') && !client && scope.account === undefined ? accounts(s, scope, terms, call.now) : [],
    may('records') ? persons(s, scope, terms) : [],
    may('records') && !client && scope.account === undefined ? walletHolds(s, scope, terms, call.now) : [],
    may('records') && !client && scope.account === undefined ? cases(s, scope, terms) : [],
    may('records') && !client ? riskRules(s, terms) : [],
    may('payments') ? taxRules(s, terms) : [],
  ]);
  const seen = new Set<string>();
  return {
    items: parts.flat().filter((h) => !seen.has(`${h.kind} ${h.id}`) && seen.add(`${h.kind} ${h.id}`)),
    amounts: terms.amount && may('payments') ? await afterArchive(s, within) : null,
  };
}

/** The part of a time whose records are in the tables, read after them. */
async function afterArchive(s: Needs<'db'>, { from, to }: Moments): Promise<Moments> {
  const day = await archivedBefore(s.db);
  const first = day === undefined ? from : `${day}T00:00:00.000Z`;
  return { from: first < from ? from : first < to ? first : to, to };
}

/** @throws FIELD_INVALID */
function amountsWithin(asked: SearchAsked, now: number): Moments {
  const to = asked.to === undefined ? now : Date.parse(asked.to);
  const from = asked.from === undefined ? to - amountDays * dayMs : Date.parse(asked.from);
  if (from >= to) throw refuse('FIELD_INVALID', "the field 'from' must be before 'to'");
  if (to - from > mostAmountDays * dayMs)
    throw refuse(
      'FIELD_INVALID',
      said`amounts are searched for in at most ${mostAmountDays} days; move 'from' or 'to'`,
    );
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

async function scopeOf(s: SearchUses, call: Call): Promise<SearchScope> {
  if (call.principal.kind === 'operator') return { psps: await allPsps(s.db), account: undefined };
  const { psp, account } = await reachOf(s, call);
  return { psps: [psp], account };
}

async function ids(s: SearchUses, call: Call, { id }: SearchTerms): Promise<Hit[]> {
  const found = id && (await resolve(s, call, id.kind, id.id));
  const psp = found?.pspId ? fromWire('psp', found.pspId) : undefined;
  const kind = refSpaces.find((k) => k === id?.kind);
  if (id && psp && kind) return (await recordHits(s.db, [{ psp, kind, id: id.id }])).map(recordHit);
  return found && id ? [hit({ ...found, title: found.name, at: timeOf(id.id) })] : [];
}

const recordHit = (r: RecordHit): Hit =>
  hit({
    kind: r.kind,
    id: toWire(r.kind, r.id),
    pspId: toWire('psp', r.psp),
    clientId: accountWire(r.psp, r.account),
    title: r.ref,
    at: timeOf(r.id),
    amount: wireNumber(r.amount),
    currency: r.currency,
    status: r.status,
  });

/** Requests of test keys belong to the live account. */
async function requests(s: SearchUses, { psps, account }: SearchScope, { request }: SearchTerms): Promise<Hit[]> {
  if (request === undefined) return [];
  const [only] = psps;
  const test = psps.length === 1 && only ? await findTestAccount(s.db, account ?? only) : undefined;
  const found =
    (await findRequest(s.db, psps, account, request)) ??
    (test && (await findRequest(s.db, [test.psp], account && test.id, request)));
  if (!found) return [];
  return [
    hit({
      kind: 'request',
      id: request,
      pspId: toWire('psp', found.psp),
      clientId: clientId({ psp: found.psp, id: found.client ?? found.account }),
      title: `${found.method} ${found.route ?? ''}`.trim(),
      at: found.at,
      status: found.code ?? String(found.status),
    }),
  ];
}

/** What is recorded at this moment, by another clock too, is found. */
const soon = (now: number) => new Date(now + 60_000).toISOString();

const amounts = async (s: SearchUses, scope: SearchScope, { amount }: SearchTerms, within: Moments): Promise<Hit[]> =>
  amount ? (await findByAmount(s.db, scope, { ...amount, ...within })).map(recordHit) : [];

const refs = async (s: SearchUses, scope: SearchScope, { text }: SearchTerms): Promise<Hit[]> =>
  (await findByRef(s.db, scope, text)).map(recordHit);

async function accounts(s: SearchUses, scope: SearchScope, { words }: SearchTerms, now: number): Promise<Hit[]> {
  if (words.length === 0) return [];
  const found = await findByName(s.db, scope.psps, words);
  const wanted = [...found, ...found.map((f) => ({ psp: f.psp, id: f.psp }))];
  const loaded = await s.accounts.load(s.db, wanted);
  const of = (key: { readonly psp: PspId; readonly id: string }) => loaded.get(s.accounts.text(key));
  return found.flatMap((f) => {
    const account = of(f);
    const owner = of({ psp: f.psp, id: f.psp });
    return account && owner ? [accountHit(s, account, owner, now)] : [];
  });
}

/** An account that is ACTIVE, and whose transactions are declined, is shown as such. */
function accountHit(s: SearchUses, a: Account, owner: Account, now: number): Hit {
  const declined = unacceptable(a, owner, s.settings.requiredLevel, new Date(now).toISOString()) !== undefined;
  return hit({
    kind: a.kind === 'psp' ? 'psp' : 'client',
    id: clientId(a),
    pspId: toWire('psp', a.psp),
    clientId: clientId(a),
    title: a.name,
    at: a.createdAt,
    status: a.operationalStanding === 'ACTIVE' && declined ? 'NOT_ACCEPTED' : a.operationalStanding,
  });
}

async function persons(s: SearchUses, { psps, account }: SearchScope, { text, person }: SearchTerms): Promise<Hit[]> {
  const values = person.flatMap((by) => {
    const plain = plainForm(by, text);
    return plain === undefined ? [] : psps.map((psp) => ({ psp, by, hash: s.subjects.identify(psp, plain).subject }));
  });
  if (values.length === 0) return [];
  return (await findPersons(s.db, account, values))
    .slice(0, mostHits)
    .map((p) => hit({ kind: 'person', id: p.person, pspId: toWire('psp', p.psp), title: p.by, at: timeOf(p.record) }));
}

/** Holds of a wallet, also of one that no record names. */
async function walletHolds(s: SearchUses, { psps }: SearchScope, { text, person }: SearchTerms, now: number) {
  const plain = person.includes('wallet') ? plainForm('wallet', text) : undefined;
  if (plain === undefined) return [];
  const keys = psps.map((psp) => ({ psp, wallet: s.subjects.identify(psp, plain).subject }));
  const holds = [...(await holdsOfWallet.load(s.db, keys)).values()].flatMap((f) => f.holds);
  return holds
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, mostHits)
    .map((h) =>
      hit({
        kind: 'walletHold',
        id: toWire('walletHold', h.id),
        pspId: toWire('psp', h.psp),
        title: h.reason,
        at: h.createdAt,
        status: isHeldBy(h, new Date(now).toISOString()) ? 'IN_FORCE' : 'NOT_IN_FORCE',
      }),
    );
}

async function cases(s: SearchUses, scope: SearchScope, { caseNumber }: SearchTerms): Promise<Hit[]> {
  if (caseNumber === undefined) return [];
  return (await findCases(s.db, scope.psps, caseNumber)).map((c) =>
    hit({
      kind: 'case',
      id: toWire('case', c.id),
      pspId: toWire('psp', c.psp),
      clientId: accountWire(c.psp, c.account),
      title: `Case ${c.number}`,
      at: timeOf(c.id),
      status: c.state,
    }),
  );
}

/** Each word must begin a word of the text. */
const says = (text: string, words: readonly string[]): boolean => {
  const own = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((w) => own.some((o) => o.startsWith(w.toLowerCase())));
};

function riskRules(s: SearchUses, { words }: SearchTerms): Hit[] {
  if (words.length === 0) return [];
  return s.riskBook.inForce.rules
    .filter(({ rule }) => says(`${rule.id} ${rule.reason}`, words))
    .slice(0, mostHits)
    .map(({ rule }) => hit({ kind: 'riskRule', id: rule.id, title: rule.reason }));
}

function taxRules(s: SearchUses, { words, text }: SearchTerms): Hit[] {
  if (words.length === 0 || !/\p{L}/u.test(text)) return [];
  const found: Hit[] = [];
  for (const country of s.rates.book.countries())
    for (const rule of country.rules) {
      if (!says(rule.ruleId, words)) continue;
      found.push(hit({ kind: 'taxRule', id: rule.ruleId, title: `${rule.taxCode}, ${country.jurisdiction}` }));
      if (found.length === mostHits) return found;
    }
  return found;
}
