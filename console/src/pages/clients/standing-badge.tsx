// A client's standing in words: what decides its transactions comes first, so a client on hold is never "Active".

import { StatusBadge } from '../../components/status-badge.tsx';
import { useNow } from '../../data/now.ts';
import { say } from '../../words/words.ts';

interface Standing {
  readonly operationalStanding: string;
  readonly acceptable: boolean;
  readonly flags: readonly unknown[];
}
interface Flag {
  readonly blocking?: boolean;
  readonly since?: string;
}

const onHold = (c: Standing, now: number): boolean =>
  (c.flags as readonly Flag[]).some((f) => f.blocking === true && Date.parse(f.since ?? '') <= now);

export function StandingBadge({ client: c }: { readonly client: Standing }) {
  const now = useNow();
  if (c.operationalStanding !== 'ACTIVE' || c.acceptable) return <StatusBadge status={c.operationalStanding} />;
  return <StatusBadge status="ON_HOLD" tone="bad" label={onHold(c, now) ? say('On hold') : say('Not accepted')} />;
}
