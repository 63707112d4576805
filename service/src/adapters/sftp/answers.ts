// Files and refusals in SFTP version 3.
import type { Attributes, FileEntry } from 'ssh2';
import ssh2 from 'ssh2';
import { steeringCharacter } from '../../core/characters.ts';
import { DropFault, type DropFile } from '../../modules/telecom/index.ts';

export const { STATUS_CODE: status, OPEN_MODE: mode } = ssh2.utils.sftp;

/** A refusal in the protocol's own codes; undefined for an internal fault. */
export function refusalOf(e: unknown): { code: number; message: string } | undefined {
  if (!(e instanceof DropFault)) return undefined;
  const code = { missing: status.NO_SUCH_FILE, refused: status.PERMISSION_DENIED, full: status.FAILURE }[e.kind];
  return { code, message: e.message };
}

/** There is no such file, and none may have a name that would steer the screen of someone listing it. */
export function noFile(path = ''): DropFault {
  const steering = steeringCharacter(path.split('/').at(-1) ?? '');
  return steering
    ? denied(`the file name holds ${steering}; rename the file`)
    : new DropFault('missing', 'no such file');
}

export const denied = (message: string): DropFault => new DropFault('refused', message);

const attributes = (permissions: number, size: number, changedMs: number): Attributes => ({
  mode: permissions,
  uid: 0,
  gid: 0,
  size,
  atime: Math.floor(changedMs / 1000),
  mtime: Math.floor(changedMs / 1000),
});

export const fileAttributes = (f: Pick<DropFile, 'size' | 'changedMs'>): Attributes =>
  attributes(0o100640, f.size, f.changedMs);
export const folderAttributes = (): Attributes => attributes(0o040750, 0, 0);

const longname = (kind: string, a: Attributes, name: string): string => {
  const day = new Date(a.mtime * 1000).toUTCString();
  return `${kind}    1 cdr      cdr      ${String(a.size).padStart(12)} ${day.slice(8, 11)} ${day.slice(5, 7)}  ${day.slice(12, 16)} ${name}`;
};

export function entry(name: string, file?: DropFile): FileEntry {
  const attrs = file ? fileAttributes(file) : folderAttributes();
  return { filename: name, longname: longname(file ? '-rw-r-----' : 'drwxr-x---', attrs, name), attrs };
}
