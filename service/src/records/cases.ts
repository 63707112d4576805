// Cases, and what was put into them. Personal data is sealed; items are never changed.
import type { Case, CaseItemKind } from '../core/cases/case.ts';
import { column, defineRecord, insert, put } from './define.ts';

export const cases = defineRecord({
  table: 'cases',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    number: column.int4,
    person: column.optional(column.text),
    severity: column.textOf<Case['severity']>(),
    state: column.textOf<Case['state']>(),
    queue: column.text,
    assignee: column.optional(column.text),
    due_at: column.timestamptz,
    outcome: column.optional(column.textOf<NonNullable<Case['outcome']>>()),
    proposed: column.optional(column.json<NonNullable<Case['proposed']>>()),
    alerts: column.int4,
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
    closed_at: column.optional(column.timestamptz),
  },
  writes: {
    cases: put(
      ...(['severity', 'state', 'queue', 'assignee', 'due_at', 'outcome', 'proposed', 'alerts'] as const),
      ...(['version', 'updated_at', 'closed_at'] as const),
    ),
  },
  vouched: true,
  resource: 'case',
  journaled: true,
});

/** What an item says besides what is sealed; it names nobody. */
export interface CaseItemContent {
  /** The step that a note explains. */
  readonly step?: string;
  /** Of a file. */
  readonly type?: string;
  readonly size?: number;
  readonly sha256?: string;
  /** What was done, and on which hold. */
  readonly action?: string;
  readonly holdId?: string;
  /** Day on which a report was sent. */
  readonly sentOn?: string;
}

export const caseItems = defineRecord({
  table: 'case_items',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    case_id: column.uuid,
    account_id: column.accountId,
    kind: column.textOf<CaseItemKind>(),
    about_id: column.optional(column.text),
    content: column.json<CaseItemContent>(),
    sealed: column.optional(column.text),
    subject: column.optional(column.text),
    written_by: column.text,
    created_at: column.timestamptz,
  },
  writes: { case_items: insert },
  vouched: true,
  resource: 'caseItem',
  journaled: true,
});
