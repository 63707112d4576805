// Documents of clients. Their content is sealed in rows of its own, which follow from the hash here.
import type { DocumentState } from '../core/requirements/due.ts';
import type { DocumentKind } from '../core/requirements/requirement.ts';
import {
  accountId,
  date,
  defineRecord,
  int4,
  int8,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

export const contentTypes = ['application/pdf', 'image/jpeg', 'image/png', 'text/plain'] as const;

export const clientDocuments = defineRecord({
  table: 'client_documents',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    kind: textOf<DocumentKind>(),
    content_type: textOf<(typeof contentTypes)[number]>(),
    bytes: int8,
    sha256: text,
    state: textOf<DocumentState>(),
    valid_until: optional(date),
    /** Whose key the name and the content are sealed under. */
    subject: text,
    /** The name of the file. */
    sealed: optional(text),
    added_by: text,
    decided_by: optional(text),
    decision_reason: optional(text),
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: {
    client_documents: put('state', 'valid_until', 'decided_by', 'decision_reason', 'version', 'updated_at'),
  },
  vouched: true,
  resource: 'document',
  told: true,
});
