// Exclusions and limits of players, how a PSP applies them, and the keyed hashes by which a player is found.
import type { ProtectionMode, RestrictionKind } from '../core/players/restriction.ts';
import type { LimitPeriod } from '../core/players/rule.ts';
import { column, defineRecord, insert, put } from './define.ts';

export const playerRestrictions = defineRecord({
  table: 'player_restrictions',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    kind: column.textOf<RestrictionKind>(),
    subjects: column.json<readonly string[]>(),
    source: column.text,
    reference: column.optional(column.text),
    country: column.optional(column.text),
    period: column.optional(column.textOf<LimitPeriod>()),
    currency: column.optional(column.text),
    amount: column.optional(column.numeric),
    pending_amount: column.optional(column.numeric),
    pending_from: column.optional(column.timestamptz),
    from_at: column.timestamptz,
    until_at: column.optional(column.timestamptz),
    set_by: column.text,
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: {
    player_restrictions: put('amount', 'pending_amount', 'pending_from', 'until_at', 'set_by', 'version', 'updated_at'),
  },
  vouched: true,
  resource: 'restriction',
  journaled: true,
});

export const playerKeys = defineRecord({
  table: 'player_keys',
  key: ['psp_id', 'hash', 'restriction_id'],
  columns: { psp_id: column.pspId, hash: column.text, restriction_id: column.uuid },
  writes: { player_keys: insert },
});

export const playerPolicies = defineRecord({
  table: 'player_policies',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    /** The PSP's. */
    id: column.uuid,
    exclusions: column.textOf<ProtectionMode>(),
    limits: column.textOf<ProtectionMode>(),
    country_limits: column.textOf<ProtectionMode>(),
    set_by: column.text,
    version: column.int4,
    updated_at: column.timestamptz,
  },
  writes: { player_policies: put('exclusions', 'limits', 'country_limits', 'set_by', 'version', 'updated_at') },
  vouched: true,
});
