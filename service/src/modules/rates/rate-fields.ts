// What the operations on tax rules and fees share: their needs, the reason, and the name of a fee row.
import { Named, type Needs, Type } from '../kernel/operation.ts';
import type { HasRateKeeper } from './rate-keeper.ts';

export type Uses = Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference'> & HasRateKeeper;

export const FeeName = Named('FeeName', 'The fee row that was changed.', { feeId: Type.String() });
