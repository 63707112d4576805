// A copy of bytes has its own memory.
import { expect, it } from 'vitest';
import { ownBytes } from './own-bytes.ts';

it('keeps nothing but the bytes themselves', () => {
  const cut = Buffer.from('00'.repeat(31).concat('ff'), 'hex');
  // The reason for the copy: the slab that Node cut them from.
  expect(cut.buffer.byteLength).toBeGreaterThan(4096);
  const own = ownBytes(cut);
  expect(own.buffer.byteLength).toBe(32);
  expect([...own]).toEqual([...cut]);
});
