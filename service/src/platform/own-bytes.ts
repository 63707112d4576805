// Bytes that are kept for long, such as cached keys.

/**
 * A copy with its own memory. Node cuts small buffers from slabs of 64 KiB, and a small buffer keeps its whole slab
 * alive: five thousand keys of 32 bytes held 150 MB.
 */
export const ownBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
