// What a key decides is true only while the key is: its commit expects the standing and the keys of its account as they
// were when the key was read. If they changed, the key is read again before the call is decided again, or refused.
import { isDeepStrictEqual } from 'node:util';
import type { Command, Committer, ExpectedAccount, Facts, Writes } from '../../platform/committer.ts';
import { need } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { type HasKeys, type Known, refusalOf } from './keys.ts';

type Writing = Pick<Committer, 'submit' | 'within' | 'pspOf' | 'depth'>;
type Uses = Needs<'committer' | 'clock'> & HasKeys;

/** Expectations of one commit: an account that both name at one version is expected once. */
function both(own: Writes['accounts'], keys: readonly ExpectedAccount[]): ExpectedAccount[] {
  const all = [...(own ?? [])];
  for (const k of keys) {
    const at = all.findIndex((a) => a.id === k.id && a.version === k.version);
    if (at < 0) all.push(k);
    else if (k.access !== undefined) all[at] = k;
  }
  return all;
}

class UnderKey implements Writing {
  readonly #s: Uses;
  readonly #key: string;
  readonly #refuses: (now: Principal) => Error | undefined;

  constructor(s: Uses, key: string, refuses: (now: Principal) => Error | undefined) {
    this.#s = s;
    this.#key = key;
    this.#refuses = refuses;
  }

  get depth(): number {
    return this.#s.committer.depth;
  }

  pspOf(writes: Writes): string | undefined {
    return this.#s.committer.pspOf(writes);
  }

  #expects(known: Known | undefined): Error | readonly ExpectedAccount[] {
    return refusalOf(known, this.#s.clock()) ?? this.#refuses((known as Known).principal) ?? (known as Known).expects;
  }

  submit<R>(command: Command<R>): Promise<R> {
    const key = need(this.#s.keys.facts, this.#key);
    return this.#s.committer.submit<R>({
      account: command.account,
      keys: command.keys,
      exclusive: command.exclusive ?? false,
      needs: [...command.needs, key],
      furtherNeeds: (facts) => command.furtherNeeds?.(facts) ?? [],
      committed: () => command.committed?.(),
      decide: (facts: Facts) => {
        const expected = this.#expects(facts(key));
        if (expected instanceof Error) return expected;
        const d = command.decide(facts);
        if (d instanceof Error || !d.writes) return d;
        return { ...d, writes: { ...d.writes, accounts: both(d.writes.accounts, expected) } };
      },
    });
  }

  /**
   * What the service itself changed of the account at the same moment, such as the health of an address, is no reason to
   * refuse the call: if the key still may make it, what was left out is written in a second call.
   */
  async within(tx: Database, writes: readonly Writes[]): Promise<readonly number[]> {
    const expected = await this.#expectedIn(tx);
    const failed = await this.#s.committer.within(
      tx,
      writes.map((w) => ({ ...w, accounts: both(w.accounts, expected) })),
    );
    // Where PSPs lie on servers apart, only what is of one of them is written whole or not at all.
    if (failed.length === 0 || writes.some((w) => this.pspOf(w) === undefined)) return failed;
    if (isDeepStrictEqual(await this.#expectedIn(tx), expected)) return failed;
    const again = await this.within(
      tx,
      failed.map((i) => writes[i] as Writes),
    );
    return again.map((i) => failed[i] as number);
  }

  async #expectedIn(tx: Database): Promise<readonly ExpectedAccount[]> {
    const expected = this.#expects((await this.#s.keys.facts.load(tx, [this.#key])).get(this.#key));
    if (expected instanceof Error) throw expected;
    return expected;
  }
}

/**
 * The services for a call: those of a key's call commit only what the key may do at that moment.
 * @param refuses says why the key's principal, whose standing may have changed since, may not make the call
 */
export function underKey<S extends Uses>(s: S, caller: Principal, refuses: (now: Principal) => Error | undefined): S {
  if (!caller.actor.startsWith('key_')) return s;
  const committer = new UnderKey(s, caller.actor.slice('key_'.length), refuses);
  return Object.assign(Object.create(s) as S, { committer });
}
