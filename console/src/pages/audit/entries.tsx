// How an entry of the journal is told: its title, its tone, and who made it.
import type { ReactNode } from 'react';
import { inWords, type Tone } from '../../components/status-badge.tsx';

interface Actor {
  readonly account: string;
  readonly by: string;
  readonly name?: string | null;
}

/** `client.standing_set` becomes "Client: standing set". */
export function titleOf(kind: string): string {
  const [noun = '', ...rest] = kind.split('.');
  return rest.length === 0 ? inWords(noun) : `${inWords(noun)}: ${inWords(rest.join(' ')).toLowerCase()}`;
}

const bad = /suspend|revok|declin|disabl|reject|erased|charged/;
const good = /approv|resum|enabl|creat|register/;

export const toneOf = (kind: string): Tone => (bad.test(kind) ? 'bad' : good.test(kind) ? 'good' : 'note');

/** The person's name where the service knows it, else the key or program that made the call. */
export const byWhom = (actor: Actor): ReactNode => actor.name ?? actor.by;
