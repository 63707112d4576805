// Decisions of a batch that are to be written: each by itself, or several together, of which the commit writes all or none.
import type { Decided, Row, Writes } from './command.ts';
import type { Waiting } from './command-queue.ts';
import type { Place } from './places.ts';

/** One or more decisions that are written together. */
export interface Made {
  readonly members: readonly { readonly w: Waiting; readonly reply: unknown }[];
  readonly writes: Writes;
  readonly place?: Place;
}

type Writing = Decided<unknown> & { readonly writes: Writes };
interface Group {
  readonly members: { readonly w: Waiting; readonly reply: unknown }[];
  readonly writes: Writes[];
  readonly latest: Map<string, Row>;
}

export class MadeDecisions {
  readonly #groups: Group[] = [];
  readonly #named = new Map<string, Group>();

  /** Whether the decision cannot be written in this batch, because it or the one there is written by itself. */
  isApart(w: Waiting, { together }: Writing): boolean {
    const there = together && this.#named.get(together.name);
    return there !== undefined && (w.alone === true || there.members.some((m) => m.w.alone));
  }

  add(w: Waiting, { reply, writes, together }: Writing): void {
    let group = together && this.#named.get(together.name);
    if (!group) {
      group = { members: [], writes: [], latest: new Map() };
      this.#groups.push(group);
      if (together) this.#named.set(together.name, group);
    }
    group.members.push({ w, reply });
    group.writes.push(writes);
    for (const [name, row] of together?.latest ?? []) group.latest.set(name, row);
  }

  /**
   * Decisions on an account's current state are journalled before the account's change in the same commit: in the
   * journal no approval follows the suspension that it was made before.
   */
  inOrder(): Made[] {
    const isExclusive = (g: Group) => g.members.some(({ w }) => w.command.exclusive);
    const groups = [...this.#groups.filter((g) => !isExclusive(g)), ...this.#groups.filter(isExclusive)];
    return groups.map(({ members, writes, latest }) => ({ members, writes: joined(writes, [...latest.values()]) }));
  }
}

/** The same, each to be written by itself: the database refused something of one of them. */
export function apart(members: Made['members']): Made['members'] {
  for (const { w } of members) w.alone = true;
  return members;
}

function joined(all: readonly Writes[], latest: readonly Row[]): Writes {
  const [first] = all as readonly [Writes];
  if (all.length === 1) return latest.length === 0 ? first : { ...first, rows: [...first.rows, ...latest] };
  const once = <T>(of: (w: Writes) => readonly T[] | undefined): T[] => [
    ...new Map(all.flatMap((w) => of(w) ?? []).map((x) => [JSON.stringify(x), x])).values(),
  ];
  return {
    accounts: once((w) => w.accounts),
    erasures: once((w) => w.erasures),
    subjects: once((w) => w.subjects),
    refsHeld: all.flatMap((w) => w.refsHeld ?? []),
    refsNew: all.flatMap((w) => w.refsNew ?? []),
    rows: [...all.flatMap((w) => w.rows), ...latest],
  };
}
