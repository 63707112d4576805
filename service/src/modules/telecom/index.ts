// What others may ask about call detail records.
export { type CdrRecord, cdrResource, findCdr } from './cdr-store.ts';
export type { Drop, DropFile } from './drop/drop.ts';
export { Drops } from './drop/drops.ts';
export { DropFault } from './drop/fault.ts';
export { type DropFolder, isDropName } from './drop/names.ts';
export type { DropLimits } from './drop/quota.ts';
export type { Upload } from './drop/upload.ts';
export { type CdrFile, countByState, findAnyFile, listFiles } from './files/file-store.ts';
export { giveUp } from './files/give-up.ts';
export { CdrIntake } from './files/intake.ts';
export { fileResource } from './files/schemas.ts';
export { countSuspended } from './files/suspense-store.ts';
export { addKeyToLogin, createSftpLogin, loginResource, revokeSftpLogin } from './sftp-credentials.ts';
export { findSftpLogin, listSftpLogins, type SftpLogin } from './sftp-login-store.ts';
export { Passwords } from './sftp-passwords.ts';
