// What the command line may ask of the archive.
export { idsOfRef, listMonths } from './archive-store.ts';
export { findInArchive } from './find.ts';
export { type ArchiveOptions, makeArchive } from './make.ts';
export { restoreMonth } from './restore.ts';
export { verifyArchive } from './verify.ts';
