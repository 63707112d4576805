// The secret that signs an account's webhooks and, during a rotation, the previous one. Both are in the account's one
// sealed text, so that a rotation is a single change of the account and never half done.
import type { PspId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import {
  changeAccount,
  type ForgetsSessions,
  findAccount,
  type HasAccounts,
  type HasKeys,
  newWebhookSecret,
  secretPlace,
} from '../accounts/index.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import type { SigningSecrets } from './signature.ts';

/** The sealed text: a plain secret, or this as JSON. */
interface Rotation {
  readonly current: string;
  readonly previous: string;
  readonly previousUntil: string;
}

function rotationIn(text: string): Rotation | { current: string; previousUntil?: undefined } {
  return text.startsWith('{') ? (JSON.parse(text) as Rotation) : { current: text };
}

/**
 * Opens an account's sealed secrets for a given moment.
 * @returns the secrets, and until when they apply, in milliseconds since the epoch
 * @throws if they were sealed for another account
 */
function openSecrets(
  vault: Vault,
  account: string,
  sealed: string,
  nowMs: number,
): { secrets: SigningSecrets; until: number } {
  const kept = rotationIn(vault.open(sealed, secretPlace(account)));
  const until = kept.previousUntil === undefined ? 0 : Date.parse(kept.previousUntil);
  return kept.previousUntil !== undefined && nowMs < until
    ? { secrets: { current: kept.current, previous: kept.previous, previousLeads: true }, until }
    : { secrets: { current: kept.current }, until: Number.POSITIVE_INFINITY };
}

/**
 * Secrets of many accounts with one query. Opened secrets are cached by sealed text: opening costs more than the rest
 * of preparing an attempt.
 */
export class SecretsOfMany {
  readonly #services: Needs<'db' | 'vault'> & HasAccounts;
  readonly #opened = new Map<string, { sealed: string; until: number; secrets: SigningSecrets }>();

  constructor(services: Needs<'db' | 'vault'> & HasAccounts) {
    this.#services = services;
  }

  /** @returns a function that returns an account's current secrets, or throws the error that prevented reading them */
  of(whose: readonly { psp: PspId; account: string }[], nowMs: number): (account: string) => Promise<SigningSecrets> {
    const { accounts, db } = this.#services;
    const keys = new Map(whose.map((w) => [w.account, { psp: w.psp, id: w.account }]));
    const loaded = accounts.load(db, [...keys.values()]);
    // The error reaches each caller that awaits it.
    loaded.catch(() => undefined);
    return async (account) => {
      const key = keys.get(account);
      const found = key && (await loaded).get(accounts.text(key));
      if (!found) throw notFound();
      return this.#open(account, found.secretSealed, nowMs);
    };
  }

  #open(account: string, sealed: string, nowMs: number): SigningSecrets {
    const known = this.#opened.get(account);
    if (known?.sealed === sealed && nowMs < known.until) return known.secrets;
    if (this.#opened.size >= mostOpened) this.#opened.clear();
    const { secrets, until } = openSecrets(this.#services.vault, account, sealed, nowMs);
    this.#opened.set(account, { sealed, until, secrets });
    return secrets;
  }
}

const mostOpened = 10_000;

/**
 * Issues a new secret. The one that X-Signature uses stays until the grace period ends: a rotation during a rotation
 * replaces the secret not used there yet.
 * @param graceMs 0 ends the old secret at once
 */
export async function rotateSecret(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasAccounts & HasKeys & ForgetsSessions,
  principal: Principal,
  whose: { psp: PspId; account: string },
  graceMs: number,
  now: number,
): Promise<{ secret: string; previousUntil: string | null }> {
  if (!(await findAccount(s.db, whose.psp, whose.account))) throw notFound();
  const secret = newWebhookSecret();
  const previousUntil = graceMs > 0 ? new Date(now + graceMs).toISOString() : null;
  const place = secretPlace(whose.account);
  await changeAccount(
    s,
    principal,
    whose.account,
    {
      reason: previousUntil === null ? 'webhook secret replaced' : `webhook secret rotated until ${previousUntil}`,
      secretSealed(before) {
        if (previousUntil === null) return s.vault.seal(secret, place);
        const live = openSecrets(s.vault, whose.account, before.secretSealed, now).secrets;
        const rotation: Rotation = { current: secret, previous: live.previous ?? live.current, previousUntil };
        return s.vault.seal(JSON.stringify(rotation), place);
      },
    },
    now,
  );
  return { secret, previousUntil };
}
