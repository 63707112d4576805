// What a report's page may load: its own style, whichever version wrote it.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pagePolicy } from './report-download.ts';

const page = (style: string) =>
  `<head><title>&lt;style></title><style>${style}</style></head><td>&lt;style>td{}&lt;/style></td>`;
const hashOf = (style: string) => createHash('sha256').update(style).digest('base64');

describe('the policy of a page', () => {
  it.each(['body{color:#000}', '\n@page{size:A4}\n'])('allows the style that the page was stored with: %j', (style) => {
    expect(pagePolicy(page(style))).toContain(`style-src 'sha256-${hashOf(style)}';`);
  });

  it('allows nothing else', () => {
    expect(pagePolicy('<p>no style</p>')).toBe(
      `default-src 'none'; style-src 'sha256-${hashOf('')}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox`,
    );
  });
});
