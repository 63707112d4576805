// What the operations on proposals share: who may call them, their fields, and the proposal that a request names.
import { idAsked } from '../kernel/asked.ts';
import { type Call, Type } from '../kernel/operation.ts';

/** Two people with these roles change rates together; only an administrator may do it alone, with loadTax and setFee. */
export const people = ['administrator', 'reviewer'] as const;
export const Document = (description: string) => Type.Object({}, { additionalProperties: true, description });

/** @throws NOT_FOUND */
export const asked = (call: Pick<Call, 'params'>): string => idAsked('proposal', call.params.proposalId);
