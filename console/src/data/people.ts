// People by id, as far as the signed-in person may see them.
import { useMemo } from 'react';
import { say } from '../words/words.ts';
import { shortened } from './places.ts';
import { useMe } from './session.tsx';
import { useOp } from './use-op.ts';

/** The people who may sign in, as far as the reader may see them. */
export function usePeople() {
  const { data } = useOp('listUsers', { limit: 200 }, { asOperator: true });
  return data?.items ?? [];
}

/** Returns the name of an actor: "you", a person's name, or the id in short. */
export function useActorNames(): (actor: string) => string {
  const me = useMe().user.userId;
  const { data } = useOp('listUsers', { limit: 200 }, { asOperator: true });
  return useMemo(() => {
    const names = new Map(data?.items.map((u) => [u.userId, u.name]));
    names.set('rule', say('a rule'));
    names.set('schedule', say('a schedule'));
    names.set(me, say('you'));
    return (actor) =>
      names.get(actor) ?? (actor.startsWith('rule:') ? say('rule {id}', { id: actor.slice(5) }) : shortened(actor));
  }, [data, me]);
}
