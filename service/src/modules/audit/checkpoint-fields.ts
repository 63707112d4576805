// Fields that the operations on checkpoints share.
import { Type } from 'typebox';

export const Size = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Hash = Type.String({ description: '32 bytes as base64.' });
