// Check C8: every line of every call detail file is accounted for once: accepted, rejected or duplicate. Files are
// identified by their names, which are random.
import type { Database } from '../../../src/platform/database.ts';
import type { Violation } from './finding.ts';

/** A file that was sent completely. */
export interface SentFile {
  readonly name: string;
  /** uuid */
  readonly account: string;
  readonly lines: number;
  readonly rejected: number;
  readonly repeated: number;
}

interface Counts {
  readonly accepted: number;
  readonly rejected: number;
  readonly duplicate: number;
}

export async function checkFiles(db: Database, sent: readonly SentFile[]): Promise<Violation[]> {
  const out: Violation[] = [];
  const files = await db.query('SELECT id, account_id, name, state, lines, tally FROM cdr_files');
  const suspended = new Map(
    (await db.query('SELECT file_id, count(*) AS n FROM cdr_suspense GROUP BY 1')).map((r) => [r.file_id, r.n]),
  );
  const journalled = new Map(
    (
      await db.query(
        `SELECT resource_id, sum((body::json->'data'->>'accepted')::integer) AS n
         FROM journal WHERE kind = 'cdr.file_portion' GROUP BY 1`,
      )
    ).map((r) => [r.resource_id, Number(r.n)]),
  );
  for (const s of sent) {
    const say = (what: string, effect?: Violation['effect']) =>
      out.push({ check: 'C8', what: `${s.name}: ${what}`, ...(effect ? { effect } : {}) });
    const [file, ...more] = files.filter((f) => f.account_id === s.account && f.name === s.name);
    if (more.length > 0) say(`taken in ${more.length + 1} times`, 'doubled');
    if (!file) {
      say('was finished by its sender and is not known', 'lost');
      continue;
    }
    if (file.state !== 'ACCEPTED' && file.state !== 'PARTIALLY_ACCEPTED') say(`ended as ${file.state}`);
    const { accepted, rejected, duplicate } = (JSON.parse(file.tally as string) as { counts: Counts }).counts;
    if (accepted + rejected + duplicate !== s.lines)
      say(`of ${s.lines} lines ${accepted} are accepted, ${rejected} rejected, ${duplicate} repetitions`, 'lost');
    if (rejected !== s.rejected || duplicate !== s.repeated)
      say(`${rejected} rejected and ${duplicate} repeated lines; there were ${s.rejected} and ${s.repeated}`);
    if ((suspended.get(file.id) ?? 0) !== rejected)
      say(`${suspended.get(file.id) ?? 0} rejected lines are kept, ${rejected} were counted`, 'lost');
    if ((journalled.get(file.id) ?? 0) !== accepted)
      say(`the journal tells of ${journalled.get(file.id) ?? 0} accepted lines, ${accepted} were counted`);
  }
  // Records do not name their file, but their operator's ids are random for each account and file.
  for (const [account, of] of Map.groupBy(sent, (s) => s.account)) {
    const accepted = of.reduce((n, s) => n + s.lines - s.rejected - s.repeated, 0);
    const [r] = await db.query(
      `SELECT * FROM (SELECT count(*) AS cdrs, count(DISTINCT cdr_id) AS ids FROM cdrs WHERE account_id = $1) c,
         (SELECT count(*) AS refs FROM refs WHERE account_id = $1 AND space = 'cdr') r`,
      [account],
    );
    const say = (what: string, effect: Violation['effect']) =>
      out.push({ check: 'C8', what, ...(effect ? { effect } : {}) });
    if (r?.cdrs !== accepted)
      say(`${r?.cdrs} records of ${accepted} accepted lines`, (r?.cdrs as number) > accepted ? 'doubled' : 'lost');
    if (r?.ids !== r?.cdrs) say(`${r?.cdrs} records have ${r?.ids} ids`, 'doubled');
    if (r?.refs !== r?.cdrs) say(`${r?.refs} refs for ${r?.cdrs} records`, 'lost');
  }
  return out;
}
