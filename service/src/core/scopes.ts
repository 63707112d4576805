// Scopes of keys: which operations a key may call. A key without scopes of its own has all of them.

export const scopes = ['payments', 'records', 'read', 'administration'] as const;
export type Scope = (typeof scopes)[number];

/** The part of the API that an operation belongs to: the scope that permits calling it. */
export type Area = Exclude<Scope, 'read'>;

/** Whether a key's scopes permit an operation: `read` permits every GET. Undefined: all scopes. */
export const permits = (held: readonly Scope[] | undefined, area: Area, method: string): boolean =>
  held === undefined || held.includes(area) || (method === 'GET' && held.includes('read'));

/** Whether `held` includes all of `wanted`; undefined stands for all scopes. */
export const covers = (held: readonly Scope[] | undefined, wanted: readonly Scope[] | undefined): boolean =>
  held === undefined || (wanted ?? scopes).every((s) => held.includes(s));

/** How a key's scopes are stored: in the order of `scopes`, separated by spaces; null for all. */
export const storedScopes = (held: readonly Scope[] | undefined): string | null =>
  held === undefined || covers(held, undefined) ? null : scopes.filter((s) => held.includes(s)).join(' ');

/** The scopes behind a stored text. */
export const scopesFrom = (stored: string | null): readonly Scope[] | undefined =>
  stored === null ? undefined : scopes.filter((s) => stored.split(' ').includes(s));

/** All that a stored text permits, by name. */
export const shownScopes = (stored: string | null): Scope[] => [...(scopesFrom(stored) ?? scopes)];
