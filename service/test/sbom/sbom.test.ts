// The rules that check the bill of materials. The bill itself is made and checked in continuous integration: `npm run
// sbom`.
import { expect, it } from 'vitest';
import { sbomProblems, shippedOnly } from './bill.ts';

const component = (purl: string, ...stated: string[]) => ({
  version: '1.0.0',
  'bom-ref': `${purl}@1.0.0`,
  purl: `pkg:npm/${purl}@1.0.0`,
  licenses: stated.map((id) => (/ /.test(id) ? { expression: id } : { license: { id } })),
});

it('takes licences on the list only, in every part of one of the choices', () => {
  const good = [
    component('one', 'MIT'),
    component('%40group/two', 'Apache-2.0'),
    component('three', '(GPL-3.0-only OR MIT)'),
    component('four', 'MIT AND ISC AND BSD-3-Clause'),
    component('five', 'MIT or MPL-2.0'),
  ];
  expect(sbomProblems({ components: good }, ['one', '@group/two'])).toEqual([]);
  const bad = [
    component('none'),
    component('gpl', 'GPL-3.0-only'),
    component('both', 'MIT AND GPL-3.0-only'),
    component('two', 'MIT', 'UNLICENSED'),
  ];
  expect(sbomProblems({ components: bad }, []).map((p) => p.split(':')[0])).toEqual(['none', 'gpl', 'both', 'two']);
});

it('misses every direct dependency that is not in it', () => {
  expect(sbomProblems({ components: [component('%40group/two', 'MIT')] }, ['@group/two', 'two'])).toEqual([
    'two is missing',
  ]);
});

it('holds what is shipped, even where a tool needs it too, and nothing that only tools need', () => {
  const bom = {
    components: [component('both', 'MIT'), component('tool', 'MIT'), component('assay', 'Apache-2.0')],
    dependencies: [
      { ref: 'assay@1.0.0', dependsOn: ['both@1.0.0'] },
      { ref: 'tool@1.0.0', dependsOn: ['both@1.0.0'] },
      { ref: 'both@1.0.0', dependsOn: ['tool@1.0.0'] },
    ],
  };
  const locked = {
    '': {},
    'node_modules/both': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/tool/node_modules/both': { version: '1.0.0', dev: true },
  };
  const left = shippedOnly(bom, locked);
  expect(left.components.map((c) => c['bom-ref'])).toEqual(['both@1.0.0', 'assay@1.0.0']);
  expect(left.dependencies).toEqual([
    { ref: 'assay@1.0.0', dependsOn: ['both@1.0.0'] },
    { ref: 'both@1.0.0', dependsOn: [] },
  ]);
});
