// Whether a key works, and whether it is one for tests.
import { Group } from '@mantine/core';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useNow } from '../../data/now.ts';

interface Key {
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
  readonly mode: string;
}

export function KeyState({ of: k }: { readonly of: Key }) {
  const now = useNow();
  const hasEnded = k.expiresAt !== null && Date.parse(k.expiresAt) <= now;
  return (
    <Group gap={6} wrap="nowrap">
      <StatusBadge status={k.revokedAt ? 'REVOKED' : hasEnded ? 'EXPIRED' : 'ACTIVE'} />
      {k.mode === 'test' ? <StatusBadge status="TEST" tone="note" /> : null}
    </Group>
  );
}
