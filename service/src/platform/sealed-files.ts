// Files at rest: sealed in chunks, so that a file of any size needs little memory, under a key of its own. A chunk that
// was changed, moved or removed, including the last one, fails to open.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomSecret } from './random.ts';
import type { Vault } from './sealed-secrets.ts';
import { syncPath } from './sync-path.ts';

const chunkBytes = 1 << 20;
const tagBytes = 16;
/** `ASSAYF1`, a zero byte, the version of the vault's key, 32 bytes of salt. */
const magic = Buffer.from('ASSAYF1\0');
const headBytes = magic.length + 4 + 32;

/** A chunk's nonce: its index, and whether it is the last; used once per file key. */
function nonce(nth: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(nth);
  bytes.writeUInt8(last ? 1 : 0, 11);
  return bytes;
}

/** The bytes of a file in pieces of one size, the last one shorter; one empty piece for an empty file. */
async function* pieces(path: string, size: number, from = 0): AsyncGenerator<{ bytes: Buffer; last: boolean }> {
  const handle = await open(path);
  try {
    const { size: end } = await handle.stat();
    for (let at = from; ; at += size) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(size, end - at)));
      for (let read = 0; read < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, read, bytes.length - read, at + read);
        if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
        read += bytesRead;
      }
      const last = at + size >= end;
      yield { bytes, last };
      if (last) return;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Writes a sealed copy durably, completely or not at all.
 * @param place identity of the file; it opens only under the same one
 */
export async function sealFile(vault: Vault, from: string, to: string, place: string): Promise<void> {
  const salt = randomSecret(32);
  const { key, version } = vault.derive(place, salt);
  const half = `${to}.half`;
  const out = await open(half, 'w', 0o600);
  try {
    const head = Buffer.alloc(headBytes);
    magic.copy(head);
    head.writeUInt32BE(version, magic.length);
    salt.copy(head, headBytes - salt.length);
    await out.writeFile(head);
    let nth = 0;
    for await (const { bytes, last } of pieces(from, chunkBytes)) {
      const cipher = createCipheriv('aes-256-gcm', key, nonce(nth++, last));
      await out.writeFile(Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]));
    }
    await out.sync();
  } catch (e) {
    await rm(half, { force: true });
    throw e;
  } finally {
    await out.close();
  }
  await rename(half, to);
  await syncPath(dirname(to));
}

/** @throws if it is not a sealed file, was changed, or was sealed with another identity */
export async function* openFile(vault: Vault, path: string, place: string): AsyncGenerator<Buffer> {
  let key: Buffer | undefined;
  let nth = 0;
  for await (const { bytes } of pieces(path, headBytes)) {
    if (bytes.length < headBytes || !bytes.subarray(0, magic.length).equals(magic))
      throw new Error(`${path} is no sealed file`);
    key = vault.derive(place, bytes.subarray(headBytes - 32), bytes.readUInt32BE(magic.length)).key;
    break;
  }
  for await (const { bytes, last } of pieces(path, chunkBytes + tagBytes, headBytes)) {
    const decipher = createDecipheriv('aes-256-gcm', key as Buffer, nonce(nth++, last), { authTagLength: tagBytes });
    if (bytes.length < tagBytes) throw new Error(`${path} is cut short`);
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    yield Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
  }
}
