// Works out of the journal what each sum of a period must be (tax-sums.ts) and compares it with the stored one, and with
// the ref by which decisions find it. Changes nothing.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { archivedBefore } from '../kernel/archived.ts';

interface SumFinding {
  readonly table: 'tax_sums';
  /** The account whose sum it is; the PSP for a customer's. */
  readonly id: string;
  readonly what: string;
}

interface Compared {
  readonly account: string;
  readonly sum: string;
  readonly base: string | null;
  readonly records: number | null;
  readonly journaledBase: string | null;
  readonly journaledRecords: number | null;
  readonly found: boolean;
}

/** Findings of a PSP that are listed one by one. */
const most = 10;

/**
 * One statement, so that sums and entries are those of one moment. A record counts what its last decision says, if it is
 * approved and not charged back; who reached a limit once is held to it. A row that an approved record counted in stays.
 * Of a period that reaches into the archive there is at least what the remaining entries make.
 */
const comparison = `
  WITH counting AS MATERIALIZED (
    SELECT DISTINCT resource_id FROM journal WHERE psp_id = $1
      AND kind IN ('transaction.created', 'transaction.updated') AND strpos(body, '"sums":[') > 0
  ), entry AS MATERIALIZED (
    SELECT j.resource_id AS id, j.seq, j.account_id AS account, j.body::jsonb AS body FROM journal j
    WHERE j.psp_id = $1 AND j.kind IN ('transaction.created', 'transaction.updated')
      AND j.resource_id IN (SELECT resource_id FROM counting) AND j.body IS JSON OBJECT
  ), counted AS (
    SELECT e.id, e.seq, e.body->'data'->>'status' = 'APPROVED' AS approved,
      CASE m->>'of' WHEN 'CLIENT' THEN e.account ELSE $1 END AS account,
      CASE m->>'of' WHEN 'CLIENT' THEN '' ELSE ' ' || (e.body->>'subject') END AS whose,
      m->>'sum' AS sum, m->>'reaches' AS reaches, (m->>'adds')::numeric AS adds
    FROM entry e CROSS JOIN LATERAL jsonb_array_elements(e.body->'evidence'->'sums') m
    WHERE m->>'of' = 'CLIENT' OR e.body->>'subject' IS NOT NULL
  ), final AS (
    SELECT id, max(seq) FILTER (WHERE body->'evidence' IS NOT NULL) AS decided,
      (array_agg(body->'data' ORDER BY seq DESC))[1] AS data FROM entry GROUP BY id
  ), journaled AS (
    SELECT c.account, c.sum || c.whose AS sum, coalesce(sum(c.adds) FILTER (WHERE f.counts), 0) AS base,
      count(*) FILTER (WHERE f.counts)::integer AS records
    FROM counted c LEFT JOIN (
      SELECT id, decided, data->>'status' = 'APPROVED'
        AND (data->'chargeback' = 'null' OR data->'chargeback'->'reversedAt' IS NOT NULL) AS counts FROM final
    ) f ON f.id = c.id AND f.decided = c.seq
    WHERE c.approved OR f.counts GROUP BY 1, 2
    UNION ALL SELECT DISTINCT account, reaches || whose, 0::numeric, 1 FROM counted
    WHERE approved AND reaches IS NOT NULL
  ), stored AS (
    SELECT t.account_id AS account, t.sum, t.base, t.records, r.target_id IS NOT NULL AS found
    FROM tax_sums t LEFT JOIN refs r ON r.psp_id = $1 AND r.space = 'tax_sum' AND r.ref = t.sum
      AND r.account_id = t.account_id AND r.target_id = t.id
    WHERE t.psp_id = $1
  )
  SELECT coalesce(s.account, t.account) AS account, coalesce(s.sum, t.sum) AS sum, trim_scale(s.base)::text AS base, s.records,
    trim_scale(t.base)::text AS "journaledBase", t.records AS "journaledRecords", coalesce(s.found, false) AS found
  FROM stored s FULL JOIN journaled t ON t.account = s.account AND t.sum = s.sum
  WHERE NOT coalesce(s.found AND CASE
    WHEN $2::text IS NULL OR substring(s.sum FROM '^\\S+ \\S+ \\S+ (\\d{4}-\\d\\d-\\d\\d) ') > $2 THEN s.base = t.base AND s.records = t.records
    ELSE s.base >= coalesce(t.base, 0) AND s.records >= coalesce(t.records, 0) END, false)
  ORDER BY 1, 2 LIMIT ${most}`;

/** Sums that differ from what the journal's entries make of them, at most ten. */
export async function compareSums(db: Database, psp: PspId): Promise<SumFinding[]> {
  const rows = await db.query<Compared>(comparison, [psp, (await archivedBefore(db)) ?? null]);
  return rows.map((r) => ({ table: 'tax_sums', id: r.account, what: `its sum '${r.sum}' ${difference(r)}` }));
}

const inWords = (base: string | null, records: number | null) =>
  `${base} in ${records} ${records === 1 ? 'record' : 'records'}`;

function difference(r: Compared): string {
  const journaled = inWords(r.journaledBase, r.journaledRecords);
  if (r.base === null) return `is missing: the journal makes it ${journaled}`;
  if (r.journaledBase === null) return 'is one that no entry counts in';
  if (!r.found) return 'is not the one that decisions count in: no ref leads to it';
  return `is ${inWords(r.base, r.records)}, the journal makes it ${journaled}`;
}
