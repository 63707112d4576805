// The resource of each entry, and which entries record business.
import { describe, expect, it } from 'vitest';
import { kindsNamed, recordKinds, resourceWire } from './entry-resources.ts';
import { eventKinds } from './events.ts';

const psp = '01a1f640-bc00-7000-8000-000000000001';
const id = '01a1f640-bc00-7000-8000-000000000002';

describe('an entry', () => {
  it.each(Object.keys(eventKinds))('of the kind %s is about something that has an id, or nothing', (kind) => {
    const aboutNothing = ['cdr.period_closed', 'archive.changed', 'authority.read'];
    expect(resourceWire(kind, psp, id) ?? 'nothing').toMatch(aboutNothing.includes(kind) ? /^nothing$/ : /^[a-z]{3}_/);
  });

  it('about an account tells a PSP from a client', () => {
    expect(resourceWire('client.updated', psp, psp)).toMatch(/^psp_/);
    expect(resourceWire('client.updated', psp, id)).toMatch(/^cli_/);
  });

  it('of a kind that is not known is about nothing that is known', () => {
    expect(resourceWire('of.later', psp, id)).toBeNull();
  });
});

describe('kinds', () => {
  it('are named one by one, or all of a noun', () => {
    expect(kindsNamed('key.issued')).toEqual(['key.issued']);
    expect(kindsNamed('key')).toEqual(['key.issued', 'key.updated', 'key.revoked']);
    expect(kindsNamed('ke')).toBeUndefined();
    expect(kindsNamed('')).toBeUndefined();
    expect(recordKinds.every((k) => k in eventKinds)).toBe(true);
  });
});
