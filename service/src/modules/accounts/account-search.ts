// How lists of accounts are searched: by a part of the name, and by whether a blocking hold is in force.
import { Type } from 'typebox';

export const AccountSearch = Type.Optional(
  Type.String({
    description: 'Part of the name or of the registration number, in any case.',
    minLength: 1,
    maxLength: 200,
  }),
);

export const OnHold = Type.Optional(
  Type.Enum(['true', 'false'], {
    description: 'Only accounts with, or only those without, a blocking hold, which declines every transaction.',
  }),
);
export const onHoldAt = (asked: 'true' | 'false' | undefined, at: string) =>
  asked === undefined ? undefined : { is: asked === 'true', at };
