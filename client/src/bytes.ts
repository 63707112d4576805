// Bytes as signatures and receipts encode them (strict base64, hexadecimal), and access to Web Crypto.

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => encoder.encode(text);

export const join = (...parts: readonly Uint8Array[]): Bytes => {
  const joined = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    joined.set(p, at);
    at += p.length;
  }
  return joined;
};

export const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((v, i) => v === b[i]);

export const hex = (bytes: Uint8Array): string => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');

/** The bytes, or undefined if the text is not canonical base64. */
export function fromBase64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const binary = atob(text);
  return btoa(binary) === text ? Uint8Array.from(binary, (c) => c.charCodeAt(0)) : undefined;
}

/** Web Crypto; browsers provide it only to pages served over https or from localhost. */
export function webCrypto(): typeof globalThis.crypto.subtle {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) throw new Error('this page may not use Web Crypto; open it by https');
  return subtle;
}

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await webCrypto().digest('SHA-256', bytes));
