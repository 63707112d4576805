// Exclusions and limits of players: the resources as returned and journalled, and their entries. They name nobody: a
// player is found by keyed hashes, which are in no entry.
import { protectionModes, restrictionKinds } from '../core/players/restriction.ts';
import { limitPeriods } from '../core/players/rule.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Money, Named, Nullable, Type } from './schema.ts';

const mode = (of: string) =>
  Type.Enum(protectionModes, {
    description: `${of}. OFF: nothing is checked. OBSERVE: noted on the record, and a review is opened. ENFORCE: the deposit is declined, the wager refused.`,
  });

export const policyModes = {
  exclusions: mode('Exclusions of players'),
  limits: mode('Limits of players'),
  countryLimits: mode('Limits that the law of a country sets for every player'),
};

export const PlayerPolicyResource = Named('PlayerPolicy', 'The policy of a PSP for exclusions and limits of players.', {
  ...policyModes,
  version: Type.Integer(),
  updatedAt: Nullable(Type.String(), 'When it was set, ISO 8601 UTC; null if it never was.'),
});

export const RestrictionResource = Named('PlayerRestriction', 'An exclusion or a limit of a player.', {
  restrictionId: Type.String({ description: 'Its id, `rst_…`.' }),
  kind: Type.Enum(restrictionKinds, {
    description:
      'EXCLUSION: no deposits or wagers. DEPOSIT, STAKE, LOSS: at most so much in a period; a loss is what was wagered less what was paid out.',
  }),
  clientId: Type.String({ description: "The operator it applies to; the PSP's id for all of its operators." }),
  source: Type.String({ description: "Source of the request: a register's name, PLAYER or OPERATOR." }),
  reference: Nullable(Type.String(), "The register's reference."),
  countryCode: Nullable(Type.String(), 'Country whose law and calendar apply, ISO 3166-1 alpha-2.'),
  period: Nullable(Type.Enum(limitPeriods), 'Calendar period of a limit; weeks begin on Monday.'),
  currency: Nullable(Type.String(), 'Currency of a limit.'),
  amount: Nullable(Money(), 'Amount of a limit.'),
  pendingAmount: Nullable(Money(), 'A higher amount that will apply from `pendingFrom` on.'),
  pendingFrom: Nullable(Type.String(), 'When the higher amount begins to apply, ISO 8601 UTC.'),
  from: Type.String({ description: 'First moment, ISO 8601 UTC.' }),
  until: Nullable(Type.String(), 'When it ends, ISO 8601 UTC; null without end.'),
  inForce: Type.Boolean({ description: 'Whether it applies at the moment of the reply.' }),
  setBy: Type.String({ description: 'Person or key that set it last: `usr_…`, `key_…`.' }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const playerEntries = {
  'restriction.placed/1': entry('A player was excluded, or got a limit.', {
    data: RestrictionResource,
    evidence: Type.Optional(Reason),
  }),
  'restriction.changed/1': entry('An exclusion was ended, or a limit changed.', {
    data: RestrictionResource,
    evidence: Type.Optional(Reason),
  }),
  'player_policy.set/1': entry('A PSP said how exclusions and limits of players apply.', {
    data: PlayerPolicyResource,
    evidence: Type.Optional(Reason),
  }),
};
