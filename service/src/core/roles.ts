// What a signed-in person may do: a role, and the calls it permits. What a client's people may do at most is what the client's
// key may: an operation's audience says so for both.

export const roles = ['administrator', 'reviewer', 'auditor', 'member'] as const;
export type Role = (typeof roles)[number];

/** Those who work on reviews and cases. */
export const reviewers: readonly Role[] = ['administrator', 'reviewer'];

/**
 * The roles of people of an account: a client has no reviews, so it has members in place of reviewers and auditors; people
 * of an authority only look.
 */
export const rolesIn = (kind: 'operator' | 'psp' | 'client' | 'authority'): readonly Role[] =>
  kind === 'client'
    ? ['administrator', 'member']
    : kind === 'authority'
      ? ['auditor']
      : ['administrator', 'reviewer', 'auditor'];

/** For an operation that names no roles: everybody may read, administrators may change. */
export const usualRoles = (method: string): readonly Role[] => (method === 'GET' ? roles : ['administrator']);
