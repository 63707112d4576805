// The PSP's clients by name: for lists that contain only ids, and for selecting one.
import { useMemo } from 'react';
import { say } from '../words/words.ts';
import { isIdOf } from './id-kind.ts';
import { usePsp } from './psp.tsx';
import { useChosenPsp, usePsps } from './psps.ts';
import { useMe } from './session.tsx';
import { useOp } from './use-op.ts';

/** One page of the list; `useClientName` asks for clients beyond it one by one. */
const limit = 200;

/** The newest clients: of the PSP, or for staff of all PSPs while none is chosen. */
function useNewestClients() {
  const { ready, isOperator } = usePsp();
  const isClient = useMe().account.kind === 'client';
  const ofPsp = useOp('listClients', { limit }, { enabled: ready && !isClient }).data;
  const ofAll = useOp('listAccounts', { kind: 'client', limit }, { enabled: isOperator && !ready }).data;
  return ofPsp ?? ofAll;
}

/** Returns the name of a client, or of a PSP; undefined if it is not among the newest. */
export function useClientNames(): (clientId: string) => string | undefined {
  const { data: psps } = usePsps();
  const chosen = useChosenPsp();
  const { account } = useMe();
  const newest = useNewestClients();
  return useMemo(() => {
    const names = new Map(newest?.items.map((c) => [c.clientId, c.registeredName]));
    for (const p of psps ?? []) names.set(p.pspId, p.name);
    if (chosen) names.set(chosen.pspId, chosen.name);
    if (account.kind !== 'operator') names.set(account.accountId, account.name);
    return (clientId) => names.get(clientId);
  }, [newest, psps, chosen, account]);
}

/** The name of a client or PSP, also of one that is not among the newest; undefined if there is none, or not yet. */
export function useClientName(id: string | null | undefined): string | undefined {
  const { ready } = usePsp();
  const newest = useNewestClients();
  const known = useClientNames()(id ?? '');
  const asked = known === undefined && newest?.nextCursor != null && isIdOf('client', id);
  // Staff read a client as its PSP, which is not known where all are shown.
  const owner = useOp('resolveId', { id: id ?? '' }, { enabled: asked && !ready, asOperator: true }).data?.pspId;
  const { data } = useOp(
    'getClient',
    { clientId: id ?? '' },
    ready ? { enabled: asked } : { enabled: asked && owner != null, pspId: owner ?? undefined },
  );
  return known ?? (asked ? data?.registeredName : undefined);
}

/** Whose are the entries that concern the whole installation, such as changes of rates. */
const everybody = 'psp_00000000000000000000000000';

/** Whether an account has pages of its own records: the operator has none, nor has the installation. */
export function useIsTenant(): (pspId: string) => boolean {
  const { account } = useMe();
  return (id) => id !== everybody && !(account.kind === 'operator' && id === account.accountId);
}

/** The authorities by id, with their names; none for others than staff. */
export function useAuthorities(): ReadonlyMap<string, string> {
  const { isOperator } = usePsp();
  const { data } = useOp('listAuthorities', { limit }, { asOperator: true, enabled: isOperator });
  return useMemo(() => new Map(data?.items.map((a) => [a.authorityId, a.name])), [data]);
}

/** Names of clients and PSPs as above, and for staff their own and those of authorities too. */
export function useAccountNames(): (accountId: string) => string | undefined {
  const nameOf = useClientNames();
  const isTenant = useIsTenant();
  const authorities = useAuthorities();
  return (id) =>
    nameOf(id) ??
    authorities.get(id) ??
    (isTenant(id) ? undefined : id === everybody ? say('all accounts') : say('the operator'));
}
