// Exclusions and limits of players, how a PSP applies them, and the keyed hashes by which a player is found.
import type { ProtectionMode, RestrictionKind } from '../core/players/restriction.ts';
import type { LimitPeriod } from '../core/players/rule.ts';
import {
  accountId,
  defineRecord,
  insert,
  int4,
  json,
  numeric,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

export const playerRestrictions = defineRecord({
  table: 'player_restrictions',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    kind: textOf<RestrictionKind>(),
    subjects: json<readonly string[]>(),
    source: text,
    reference: optional(text),
    country: optional(text),
    period: optional(textOf<LimitPeriod>()),
    currency: optional(text),
    amount: optional(numeric),
    pending_amount: optional(numeric),
    pending_from: optional(timestamptz),
    from_at: timestamptz,
    until_at: optional(timestamptz),
    set_by: text,
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: {
    player_restrictions: put('amount', 'pending_amount', 'pending_from', 'until_at', 'set_by', 'version', 'updated_at'),
  },
  vouched: true,
  resource: 'restriction',
  told: true,
});

export const playerKeys = defineRecord({
  table: 'player_keys',
  key: ['psp_id', 'hash', 'restriction_id'],
  columns: { psp_id: pspId, hash: text, restriction_id: uuid },
  writes: { player_keys: insert },
});

export const playerPolicies = defineRecord({
  table: 'player_policies',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    /** The PSP's. */
    id: uuid,
    exclusions: textOf<ProtectionMode>(),
    limits: textOf<ProtectionMode>(),
    country_limits: textOf<ProtectionMode>(),
    set_by: text,
    version: int4,
    updated_at: timestamptz,
  },
  writes: { player_policies: put('exclusions', 'limits', 'country_limits', 'set_by', 'version', 'updated_at') },
  vouched: true,
});
