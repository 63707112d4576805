// The addresses of the operations: which methods one takes, and what a caller probably meant by one that is not served.
import { probablyMeant } from '../../core/misspelt.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import type { Operation } from '../../modules/kernel/operation.ts';

type Served = Pick<Operation, 'method' | 'path'>;

/** Longer addresses are neither compared nor quoted whole. */
const longest = 100;

/** What stands for no text is looked up as it was written, and not found: else the framework answers, in its own form. */
export function decodable(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

export class Addresses {
  readonly #served: readonly (Served & { readonly exact: RegExp; readonly anyCase: RegExp })[];
  /** Addresses without a parameter, by their text in lower case. */
  readonly #fixed: ReadonlyMap<string, string>;

  constructor(operations: readonly Served[]) {
    this.#served = operations.map(({ method, path }) => {
      const pattern = `^${path.replaceAll('.', '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}$`;
      return { method, path, exact: new RegExp(pattern), anyCase: new RegExp(pattern, 'i') };
    });
    this.#fixed = new Map(operations.filter((o) => !o.path.includes(':')).map((o) => [o.path.toLowerCase(), o.path]));
  }

  /** Methods of an address; where it is an operation's own, not those of one with a parameter in its place. */
  methodsAt(path: string): string[] {
    const own = this.#served.filter((o) => o.path === path);
    const served = own.length > 0 ? own : this.#served.filter((o) => o.exact.test(path));
    return [...new Set(served.map((o) => o.method))];
  }

  /** Addresses that another operation would read as its own parameter when they are called by its method. */
  overshadowed(): Served[] {
    return [...new Set(this.#fixed.values())].flatMap((path) => {
      const own = this.methodsAt(path);
      const others = this.#served.filter((o) => o.path !== path && o.exact.test(path) && !own.includes(o.method));
      return [...new Set(others.map((o) => o.method))].map((method) => ({ method, path }));
    });
  }

  /**
   * The refusal of an address that is nearly one without a parameter, though it could be read as one with: no
   * parameter of ours differs from a word of our addresses by its case or a letter.
   */
  misspelt(method: string, path: string): Refusal | undefined {
    if (path.length > longest) return undefined;
    const given = tidy(path);
    const meant = this.#fixed.get(given.toLowerCase()) ?? this.#nearest(given);
    // Fastify reads a slash at the end as an empty parameter; none of ours is empty.
    if (meant === undefined) return path.endsWith('/') ? this.#likeAnother(method, path) : undefined;
    return meant === path ? undefined : this.#refused(method, path, meant);
  }

  /** The refusal of an address at which nothing is served. */
  unknown(method: string, path: string): Refusal {
    return this.misspelt(method, path) ?? this.#likeAnother(method, path);
  }

  /** Names the address with the same words in another case, its parameters as they were given. */
  #likeAnother(method: string, path: string): Refusal {
    const given = tidy(path.slice(0, longest));
    const alike = this.#served.filter((o) => path.length <= longest && o.anyCase.test(given));
    const best = alike.find((o) => o.method === method) ?? alike[0];
    const words = given.split('/');
    const meant = best?.path.split('/').map((word, i) => (word.startsWith(':') ? words[i] : word));
    return this.#refused(method, path, meant?.join('/'));
  }

  /** The address of as many words that differs by a letter or two. */
  #nearest(given: string): string | undefined {
    const words = given.split('/').length;
    return probablyMeant(
      given,
      [...this.#fixed.values()].filter((path) => path.split('/').length === words),
    );
  }

  #refused(method: string, path: string, meant: string | undefined): Refusal {
    const methods = meant === undefined ? [] : this.methodsAt(meant);
    const by = methods.includes(method) ? method : methods[0];
    const hint = meant === undefined ? '' : `; did you mean ${by} ${meant}?`;
    return refuse('NO_ROUTE', `no such address: ${method} ${path.slice(0, longest)}${hint}`);
  }
}

/** Without repeated slashes and one at the end. */
const tidy = (path: string): string => `/${path.split('/').filter(Boolean).join('/')}`;
