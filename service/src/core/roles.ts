// What a person who signs in may do: a role, and which calls it opens.

export const roles = ['administrator', 'reviewer', 'auditor'] as const;
export type Role = (typeof roles)[number];

/** Of an operation that names none: everybody may look, administrators may change. */
export const usualRoles = (method: string): readonly Role[] => (method === 'GET' ? roles : ['administrator']);
