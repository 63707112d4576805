// People by id, as far as the signed-in person may see them.
import { useMemo } from 'react';
import { say } from '../words/words.ts';
import { useAccountNames } from './clients.ts';
import { shortened } from './places.ts';
import { useMe } from './session.tsx';
import { most, useAll } from './use-op.ts';

/** The people who may sign in, as far as the reader may see them. */
export function usePeople() {
  return useAll('listUsers', {}, { asOperator: true }) ?? [];
}

/**
 * Returns the name of an actor: "you", the name of a person or key, or the id in short. For people of a PSP all others who act
 * on its clients are the operator's, who are not named.
 */
export function useActorNames(): (actor: string) => string {
  const { user, account } = useMe();
  const isPsps = account.kind === 'psp';
  const people = useAll('listUsers', {}, { asOperator: true });
  const keys = useAll('listOwnKeys', {}, { enabled: isPsps });
  const allKeys = useAll('listAllKeys', {}, { enabled: account.kind === 'operator', asOperator: true });
  return useMemo(() => {
    const names = new Map(people?.map((u) => [u.userId, u.name]));
    for (const k of keys ?? []) names.set(k.keyId, k.name);
    for (const k of allKeys ?? [])
      names.set(k.keyId, say('{key} of {account}', { key: k.name, account: k.accountName }));
    names.set('rule', say('a rule'));
    names.set('system', say('the service'));
    names.set('schedule', say('a schedule'));
    names.set(user.userId, say('you'));
    const knowsAll = isPsps && [people, keys].every((all) => all !== undefined && all.length < most);
    const other = (actor: string) => (knowsAll && /^(?:usr|key)_/.test(actor) ? say('the operator') : shortened(actor));
    return (actor) =>
      names.get(actor) ?? (actor.startsWith('rule:') ? say('rule {id}', { id: actor.slice(5) }) : other(actor));
  }, [people, keys, allKeys, isPsps, user.userId]);
}

interface Actor {
  /** `psp_…` or `cli_…`. */
  readonly account: string;
  readonly by: string;
  readonly name?: string | null;
}

/** Returns who did what an entry says: by name, if the service gives one. Keys of different accounts are often named alike. */
export function useByWhom(): (actor: Actor) => string {
  const { account } = useMe();
  const accountName = useAccountNames();
  const ofOperator = (by: Actor) =>
    account.kind === 'psp' && by.account.startsWith('psp_') && by.account !== account.accountId;
  return (by) => {
    const owner = by.name && by.by.startsWith('key_') ? accountName(by.account) : undefined;
    if (by.name) return owner ? say('{key} of {account}', { key: by.name, account: owner }) : by.name;
    if (/^[a-z-]+$/.test(by.by)) return say('The service');
    return ofOperator(by) ? say('The operator') : by.by;
  };
}
