import { describe, expect, it } from 'vitest';
import { xmlText } from './xml.ts';

describe('text', () => {
  it('is escaped, and what XML cannot hold is replaced', () => {
    expect(xmlText('<A & B> "c" \'d\'')).toBe('&lt;A &amp; B&gt; &quot;c&quot; &apos;d&apos;');
    expect(xmlText('a\u0000b\u001fc\ud800d\uffff\te\u00e9\u{1f600}')).toBe(
      'a\ufffdb\ufffdc\ufffdd\ufffd\te\u00e9\u{1f600}',
    );
  });
});
