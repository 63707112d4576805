// Passwords: stored as scrypt hashes, derived outside the event loop and few at a time per process, so that guessing
// cannot exhaust the machine's cores or memory.
import { scrypt, timingSafeEqual } from 'node:crypto';
import { FairTurns } from './fair-turns.ts';
import { randomSecret } from './random.ts';

/** Cost: N·r·128 bytes of memory, repeated p times. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Node has four threads, which files and DNS need too. */
const parallel = 2;
/** Maximum waiting, from one network and in all. */
const longestQueue = { ofOne: 32, inAll: 512 };
export const longestPassword = 200;

/** By network, so that a rush from one does not keep out others. */
const turns = new FairTurns();
let running = 0;

async function inTurn<T>(from: string, work: () => Promise<T>): Promise<T> {
  if (running >= parallel) await turns.wait(from);
  else running++;
  try {
    return await work();
  } finally {
    if (!turns.next()) running--;
  }
}

const derive = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N, r, p }, (e, key) => (e ? reject(e) : resolve(key)));
  });

/** 144 random bits in characters that any client's configuration accepts. */
export const makePassword = (): string => randomSecret(18).toString('base64url');

/** Passwords of one kind, with equal cost. */
export class Passwords {
  readonly #cost: PasswordCost;
  #nobody: Promise<string> | undefined;

  constructor(cost: PasswordCost) {
    this.#cost = cost;
  }

  /**
   * @param beside another password of the same sign-in: with its salt, one derivation checks both, so that the duration
   * does not reveal how many there are. Ignored if its cost differs.
   * @returns `scrypt$N$r$p$salt$hash`
   */
  hash(password: string, beside?: string): Promise<string> {
    const { N, r, p } = this.#cost;
    const own = beside?.startsWith(`scrypt$${N}$${r}$${p}$`) ? beside.split('$')[4] : undefined;
    const salt = own === undefined ? randomSecret(16) : Buffer.from(own, 'base64');
    return inTurn('', async () => {
      const hash = await derive(password, salt, this.#cost);
      return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
    });
  }

  /**
   * Whether a password equals the stored one. Without a stored one it takes as long and returns false.
   * @param from the caller's network; networks take turns
   * @returns undefined if too many are waiting already
   */
  async check(password: string, kept: string | null | undefined, from = ''): Promise<boolean | undefined> {
    const right = await this.matching(password, typeof kept === 'string' ? [kept] : [], from);
    return right && right.size > 0;
  }

  /**
   * Which stored hashes a password matches. Those with one salt take one derivation; no hashes at all also take one.
   * @returns undefined if too many are waiting already
   */
  async matching(password: string, kept: readonly string[], from = ''): Promise<ReadonlySet<string> | undefined> {
    if (password.length > longestPassword) return new Set();
    this.#nobody ??= this.hash(makePassword());
    const nobody = await this.#nobody;
    if (turns.size >= longestQueue.inAll || turns.under(from) >= longestQueue.ofOne) return undefined;
    const right = new Set<string>();
    for (const [, alike] of Map.groupBy(kept.length > 0 ? kept : [nobody], (k) => k.slice(0, k.lastIndexOf('$')))) {
      const [, N, r, p, salt] = (alike[0] as string).split('$') as [string, ...string[]];
      const cost = { N: Number(N), r: Number(r), p: Number(p) };
      const given = await inTurn(from, () => derive(password, Buffer.from(salt ?? '', 'base64'), cost));
      for (const k of alike) {
        const stored = Buffer.from(k.slice(k.lastIndexOf('$') + 1), 'base64');
        if (timingSafeEqual(given, stored) && k !== nobody) right.add(k);
      }
    }
    return right;
  }
}
