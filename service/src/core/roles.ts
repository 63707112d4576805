// What a signed-in person may do: a role, and the calls it permits.

export const roles = ['administrator', 'reviewer', 'auditor'] as const;
export type Role = (typeof roles)[number];

/** For an operation that names no roles: everybody may read, administrators may change. */
export const usualRoles = (method: string): readonly Role[] => (method === 'GET' ? roles : ['administrator']);
