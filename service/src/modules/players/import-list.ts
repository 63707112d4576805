// Loads a list of exclusions: a line that is new is recorded, one whose end moved is changed, one that is known is left.
// The file is checked whole before anything is recorded.
import { isFault, splitFields } from '../../core/cdr/csv.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import { isOwn, type Restriction } from '../../core/players/restriction.ts';
import { refuse, type Said, said } from '../../core/refusal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { playerHash } from './identity.ts';
import { restrictionsOf } from './player-store.ts';
import { changedBy, newRestriction, type RestrictNeeds, restrict } from './restrict.ts';

const identityColumns = ['email', 'phone', 'document'] as const;
const columns = [...identityColumns, 'from', 'until', 'reference'] as const;
type Column = (typeof columns)[number];

const mostLines = 100_000;
/** Lines of a commit: as many as are recorded well within the limit of a statement. */
const linesAtOnce = 500;

interface Line {
  readonly hashes: readonly string[];
  readonly fromAt: string;
  readonly untilAt: string | null;
  readonly reference: string | null;
}

export interface ExclusionList {
  /** The operator; the PSP for all of its operators. */
  readonly account: AccountId;
  readonly country: string | null;
  readonly source: string;
  readonly text: string;
  readonly now: number;
}

/** @throws FIELD_INVALID naming the line, without quoting it */
export async function importList(s: RestrictNeeds, principal: Principal, list: ExclusionList) {
  const { psp } = principal;
  const lines = readLines(s, psp, list);
  const done = { lines: lines.length, added: 0, changed: 0, unchanged: 0 };
  for (let i = 0; i < lines.length; i += linesAtOnce) {
    const part = await importLines(s, principal, list, lines.slice(i, i + linesAtOnce));
    done.added += part.added;
    done.changed += part.changed;
    done.unchanged += part.unchanged;
  }
  return done;
}

function importLines(s: RestrictNeeds, principal: Principal, list: ExclusionList, lines: readonly Line[]) {
  const { psp } = principal;
  const { account, country, source } = list;
  const at = new Date(list.now).toISOString();
  return restrict(s, principal, { psp, at }, async (tx) => {
    const hashes = [...new Set(lines.flatMap((l) => l.hashes))];
    const known = new Map<string, Restriction>();
    const byHash = new Map<string, Set<string>>();
    const learn = (r: Restriction) => {
      known.set(r.id, r);
      for (const h of r.subjects) byHash.set(h, (byHash.get(h) ?? new Set()).add(r.id));
    };
    for (const r of await restrictionsOf(tx, { psp, hashes }))
      if (r.kind === 'EXCLUSION' && r.account === account && r.source === source) learn(r);
    const changed = new Map<string, Restriction>();
    const counts = { added: 0, changed: 0, unchanged: 0 };
    for (const line of lines) {
      const same = [...new Set(line.hashes.flatMap((h) => [...(byHash.get(h) ?? [])]))]
        .map((id) => known.get(id) as Restriction)
        .filter((r) => sameExclusion(r, line));
      const moved = same.filter((r) => r.untilAt !== line.untilAt && mayMove(r, line.untilAt));
      // What the register has learnt of a player, such as a further number, is an exclusion beside the first.
      const subjects = line.hashes.filter((h) => !same.some((r) => r.subjects.includes(h)));
      if (same.length === 0) counts.added++;
      else if (moved.length > 0 || subjects.length > 0) counts.changed++;
      else counts.unchanged++;
      const made = moved.map((r) => ({
        ...(changed.get(r.id) ?? changedBy(principal, r, at)),
        untilAt: line.untilAt,
      }));
      const { reference, fromAt, untilAt } = line;
      if (subjects.length > 0)
        made.push(
          newRestriction(
            s,
            principal,
            { psp, account, at },
            { kind: 'EXCLUSION', subjects, source, reference, country, fromAt, untilAt },
          ),
        );
      for (const r of made) {
        changed.set(r.id, r);
        learn(r);
      }
    }
    return { changed: [...changed.values()], reply: counts };
  });
}

/** No list ends what a player asked for before its day. */
const mayMove = (r: Restriction, untilAt: string | null): boolean =>
  !isOwn(r) || (r.untilAt !== null && (untilAt === null || r.untilAt < untilAt));

/** With a reference it is the register's own; without one, the same player and span. */
const sameExclusion = (r: Restriction, line: Line): boolean =>
  line.reference === null
    ? r.reference === null &&
      r.untilAt === line.untilAt &&
      r.subjects.length === line.hashes.length &&
      r.subjects.every((h) => line.hashes.includes(h))
    : r.reference === line.reference;

function readLines(s: Needs<'subjects'>, psp: PspId, list: ExclusionList): Line[] {
  const wrong = (n: number, why: Said) =>
    refuse('FIELD_INVALID', said`the field 'text' was refused, nothing of it is loaded: line ${n} ${why}`);
  const [header = '', ...rest] = list.text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const fields = splitFields(header);
  if (isFault(fields)) throw wrong(1, said`cannot be read: ${fields.message}`);
  const names = fields.map((f) => f.trim().toLowerCase());
  const unknown = names.find((n) => !columns.some((c) => c === n));
  if (unknown !== undefined || new Set(names).size < names.length || !identityColumns.some((c) => names.includes(c)))
    throw wrong(
      1,
      said`must name columns among ${columns.join(', ')}, each once, separated by commas; one of ${identityColumns.join(', ')} is needed`,
    );
  const given = rest.flatMap((text, i) => (text.trim() === '' ? [] : [{ text, n: i + 2 }]));
  if (given.length > mostLines)
    throw wrong(mostLines + 2, said`is one too many: at most ${mostLines} lines; split the file`);
  return given.map(({ text, n }) => {
    const values = splitFields(text);
    if (isFault(values)) throw wrong(n, said`cannot be read: ${values.message}`);
    if (values.length !== names.length)
      throw wrong(n, said`has ${values.length} fields; the header has ${names.length}`);
    const of = (c: Column) => {
      const value = values[names.indexOf(c)]?.trim();
      return value === '' ? undefined : value;
    };
    const moment = (c: 'from' | 'until') => {
      const value = of(c);
      if (value === undefined) return undefined;
      const ms = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(value)
        ? Date.parse(value)
        : Number.NaN;
      if (Number.isNaN(ms))
        throw wrong(n, said`has a '${c}' that is neither a date nor a time with its zone (ISO 8601)`);
      return new Date(ms).toISOString();
    };
    const hashes = identityColumns.flatMap((kind) => {
      const value = of(kind);
      if (value === undefined) return [];
      const hash = playerHash(s, psp, kind, value, list.country ?? undefined);
      if (hash === undefined) throw wrong(n, said`has a '${kind}' that cannot be read`);
      return hash;
    });
    if (hashes.length === 0) throw wrong(n, said`names nobody: one of ${identityColumns.join(', ')} is needed`);
    const from = moment('from');
    const untilAt = moment('until') ?? null;
    if (from !== undefined && untilAt !== null && untilAt < from) throw wrong(n, said`ends before it begins`);
    const fromAt = from ?? new Date(list.now).toISOString();
    if (untilAt !== null && untilAt <= fromAt) {
      // The end of one that is over: it is kept, so that a moved end is noted.
      return { hashes: [...new Set(hashes)].sort(), fromAt: untilAt, untilAt, reference: of('reference') ?? null };
    }
    const reference = of('reference') ?? null;
    if (reference !== null && reference.length > 100) throw wrong(n, said`has a reference of more than 100 characters`);
    return { hashes: [...new Set(hashes)].sort(), fromAt, untilAt, reference };
  });
}
