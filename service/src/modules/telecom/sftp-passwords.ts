// Passwords of the file drop: made here, kept as scrypt, checked a few at a time so that guessing cannot take the
// machine's cores or memory.
import { scrypt, timingSafeEqual } from 'node:crypto';
import { randomSecret } from '../../platform/random.ts';

/** 16 MiB and some 50 ms each. */
const cost = { N: 16384, r: 8, p: 1 };
/** Node computes in four threads that files and names need too. */
const parallel = 2;
const longestQueue = 64;
const longestPassword = 200;

/** 144 random bits in letters that any client's configuration takes. */
export const makePassword = (): string => randomSecret(18).toString('base64url');

const derive = (password: string, salt: Buffer, { N, r, p } = cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N, r, p }, (e, key) => (e ? reject(e) : resolve(key)));
  });

/** @returns `scrypt$N$r$p$salt$hash` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomSecret(16);
  const hash = await derive(password, salt);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Checks passwords. One per server. */
export class Passwords {
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #nobody: Promise<string> | undefined;

  /**
   * Whether a password is the one kept. Where there is none it takes as long and is not.
   * @returns undefined when too many are waiting already
   */
  async check(password: string, kept: string | null | undefined): Promise<boolean | undefined> {
    if (this.#waiting.length >= longestQueue) return undefined;
    if (password.length > longestPassword) return false;
    if (this.#running >= parallel) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running++;
    try {
      return await this.#compare(password, kept);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #compare(password: string, kept: string | null | undefined): Promise<boolean> {
    this.#nobody ??= hashPassword(makePassword());
    const [, N, r, p, salt, hash] = (kept ?? (await this.#nobody)).split('$') as [string, ...string[]];
    const stored = Buffer.from(hash ?? '', 'base64');
    const given = await derive(password, Buffer.from(salt ?? '', 'base64'), {
      N: Number(N),
      r: Number(r),
      p: Number(p),
    });
    return timingSafeEqual(given, stored) && typeof kept === 'string';
  }
}
