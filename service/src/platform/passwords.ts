// Passwords: kept as scrypt, derived away from the event loop and few at a time in the whole process, so that
// guessing cannot take the machine's cores or memory.
import { scrypt, timingSafeEqual } from 'node:crypto';
import { randomSecret } from './random.ts';

/** Cost: N·r·128 bytes of memory, p times over. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Node computes in four threads that files and names need too. */
const parallel = 2;
const longestQueue = 64;
export const longestPassword = 200;

const waiting: (() => void)[] = [];
let running = 0;

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= parallel) await new Promise<void>((go) => waiting.push(go));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const derive = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N, r, p }, (e, key) => (e ? reject(e) : resolve(key)));
  });

/** 144 random bits in letters that any client's configuration takes. */
export const makePassword = (): string => randomSecret(18).toString('base64url');

/** Passwords of one kind, which cost the same. */
export class Passwords {
  readonly #cost: PasswordCost;
  #nobody: Promise<string> | undefined;

  constructor(cost: PasswordCost) {
    this.#cost = cost;
  }

  /** @returns `scrypt$N$r$p$salt$hash` */
  hash(password: string): Promise<string> {
    const { N, r, p } = this.#cost;
    const salt = randomSecret(16);
    return inTurn(async () => {
      const hash = await derive(password, salt, this.#cost);
      return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
    });
  }

  /**
   * Whether a password is the one kept. Where there is none it takes as long and is not.
   * @returns undefined when too many are waiting already
   */
  async check(password: string, kept: string | null | undefined): Promise<boolean | undefined> {
    if (waiting.length >= longestQueue) return undefined;
    if (password.length > longestPassword) return false;
    this.#nobody ??= this.hash(makePassword());
    const nobody = await this.#nobody;
    const [, N, r, p, salt, hash] = (kept ?? nobody).split('$') as [string, ...string[]];
    const stored = Buffer.from(hash ?? '', 'base64');
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    const given = await inTurn(() => derive(password, Buffer.from(salt ?? '', 'base64'), cost));
    return timingSafeEqual(given, stored) && typeof kept === 'string';
  }
}
