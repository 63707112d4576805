// What the search finds: pages of the console by their name or by a question, and what the service found, in groups.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Content, call } from '../data/assay.ts';
import { todayIn } from '../data/now.ts';
import { kindNames, namedByWords, pageOfLocated, shortened } from '../data/places.ts';
import { usePsp } from '../data/psp.tsx';
import { pageOf } from '../data/psp-address.ts';
import { usePsps } from '../data/psps.ts';
import { type SignedIn, useMe } from '../data/session.tsx';
import { useZone } from '../data/use-zone.ts';
import { say } from '../words/words.ts';
import { navigationOf } from './navigation.ts';
import { listAsked } from './search-list.ts';
import { pagesAsked } from './search-pages.ts';

type Hit = Content<'searchAll'>['items'][number];

export interface Found {
  readonly key: string;
  /** Console path, with its PSP if the person may choose one. */
  readonly to: string;
  readonly title: string;
  readonly note?: string;
  readonly pspId?: string | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly status?: string | null;
  readonly at?: string | null;
}

/** Moments, the second one excluded. */
export interface Within {
  readonly from?: string;
  readonly to?: string;
}

/** Of how many PSPs a list is offered. */
const mostLists = 8;

interface FoundGroup {
  readonly name: string;
  readonly items: readonly Found[];
}

/** Groups in their order; kinds that are not named come last, under their own names. */
const groupOf: Readonly<Record<string, string>> = {
  transaction: say('Transactions'),
  basket: say('Baskets'),
  wager: say('Wagers and payouts'),
  payout: say('Wagers and payouts'),
  client: say('Clients'),
  psp: say('PSPs'),
  person: say('Customers'),
  case: say('Cases'),
  request: say('Requests'),
  riskRule: say('Risk rules'),
  taxRule: say('Tax rules'),
};

/**
 * @param typed what is in the field @param asked the same a moment later, as it is sent
 * @param within the time in which an amount is searched for, if it is not the service's own
 */
export function useFound(typed: string, asked: string, within: Within) {
  const { isOperator, pspId } = usePsp();
  const { account } = useMe();
  const zone = useZone();
  const { data: psps = [] } = usePsps();
  // A list of transactions is of one PSP: where none is chosen each is offered, so that none is taken for all.
  const listed = pspId ? [pspId] : psps.filter((p) => !p.isTest).map((p) => p.pspId);
  const enabled = asked !== '';
  const query = useQuery({
    queryKey: ['searchAll', asked, within],
    // Staff find what all PSPs have.
    queryFn: ({ signal }) => call('searchAll', { q: asked, ...within }, { signal }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    // What was typed is not kept when the dialog is closed.
    gcTime: 0,
  });
  const toFound = (h: Hit): Found[] => {
    const path = pageOfLocated({ ...h, name: h.title });
    if (!path) return [];
    return [
      {
        key: `${h.kind} ${h.id}`,
        to: isOperator && h.pspId ? pageOf(h.pspId, path) : path,
        pspId: h.kind === 'psp' ? null : h.pspId,
        amount: h.amount,
        currency: h.currency,
        status: h.status,
        at: h.at,
        ...wordsOf(h),
      },
    ];
  };
  const hits = typed === '' || !enabled ? [] : (query.data?.items ?? []);
  // What belongs to the PSP in the address comes first.
  const ordered = [...hits].sort((a, b) => Number(b.pspId === pspId) - Number(a.pspId === pspId));
  const named = Map.groupBy(ordered, (h) => groupOf[h.kind] ?? kindNames[h.kind] ?? say('Others'));
  const order = [...new Set([...hits.map((h) => groupOf[h.kind] ?? kindNames[h.kind] ?? say('Others'))])];
  const groups: FoundGroup[] = [
    ...order.map((name) => ({ name, items: (named.get(name) ?? []).flatMap(toFound) })),
    {
      name: say('Lists'),
      items: listsAsked(account, typed, zone, isOperator ? listed.slice(0, mostLists) : undefined),
    },
    { name: say('Pages'), items: pagesNamed(account, typed) },
  ];
  return {
    groups: groups.filter((g) => g.items.length > 0),
    amounts: typed === '' || !enabled ? undefined : query.data?.amounts,
    error: enabled ? query.error : null,
    loading: typed !== '' && (typed !== asked || query.isFetching),
  };
}

function wordsOf(h: Hit): { readonly title: string; readonly note?: string } {
  if (h.kind === 'person')
    return { title: namedByWords[h.title ?? ''] ?? say('Customer'), note: say('all that is theirs') };
  if (h.kind === 'riskRule') return { title: h.id, ...(h.title ? { note: h.title } : {}) };
  if (h.kind === 'taxRule') return { title: h.id, ...(h.title ? { note: h.title } : {}) };
  const kind = kindNames[h.kind] ?? h.kind;
  const note = groupOf[h.kind]?.startsWith(kind) ? {} : { note: kind };
  return h.title ? { title: h.title, ...note } : { title: `${kind} ${shortened(h.id)}` };
}

const isShown = (account: SignedIn['account'], to: string): boolean =>
  navigationOf(account).some((g) => g.rows.some((r) => r.to === to));

/** @param psps whose lists staff are offered; undefined for others, who have one */
function listsAsked(
  account: SignedIn['account'],
  typed: string,
  zone: string,
  psps: readonly string[] | undefined,
): Found[] {
  const asked = isShown(account, '/transactions') ? listAsked(typed, zone, todayIn(zone)) : undefined;
  if (!asked) return [];
  const list = { ...asked, note: say('list of transactions') };
  if (!psps) return [{ key: asked.to, ...list }];
  return psps.map((pspId) => ({ key: `${pspId} ${asked.to}`, ...list, to: pageOf(pspId, asked.to), pspId }));
}

const pagesNamed = (account: SignedIn['account'], typed: string): Found[] =>
  pagesAsked(
    navigationOf(account).flatMap((g) => g.rows),
    typed,
  ).map(({ to, title }) => ({ key: `${to} ${title}`, to, title }));
