// Cases, and what was put into them. Personal data is sealed; items are never changed.
import type { Case, CaseItemKind } from '../core/cases/case.ts';
import {
  accountId,
  defineRecord,
  insert,
  int4,
  json,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

export const cases = defineRecord({
  table: 'cases',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    number: int4,
    person: optional(text),
    severity: textOf<Case['severity']>(),
    state: textOf<Case['state']>(),
    queue: text,
    assignee: optional(text),
    due_at: timestamptz,
    outcome: optional(textOf<NonNullable<Case['outcome']>>()),
    proposed: optional(json<NonNullable<Case['proposed']>>()),
    alerts: int4,
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
    closed_at: optional(timestamptz),
  },
  writes: {
    cases: put(
      ...(['severity', 'state', 'queue', 'assignee', 'due_at', 'outcome', 'proposed', 'alerts'] as const),
      ...(['version', 'updated_at', 'closed_at'] as const),
    ),
  },
  vouched: true,
  resource: 'case',
  told: true,
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
    psp_id: pspId,
    id: uuid,
    case_id: uuid,
    account_id: accountId,
    kind: textOf<CaseItemKind>(),
    about_id: optional(text),
    content: json<CaseItemContent>(),
    sealed: optional(text),
    subject: optional(text),
    written_by: text,
    created_at: timestamptz,
  },
  writes: { case_items: insert },
  vouched: true,
});
