// What others may ask about the seal: its reader, and the checking of what it sealed.
export { type AuditKey, logKey, openAuditKey } from './audit-key.ts';
export { findAuditKeys } from './audit-store.ts';
export { CheckpointFolder } from './checkpoint-folder.ts';
export { Sealer } from './sealer.ts';
export type { Finding, FindingCode, PspAudit } from './verification/finding.ts';
export { type AuditOptions, audit } from './verification/verify.ts';
