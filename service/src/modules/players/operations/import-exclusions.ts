import type { HasAccounts } from '../../accounts/index.ts';
import { CountryCode } from '../../kernel/amounts.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { importList } from '../import-list.ts';
import { countryOf, OperatorId, operatorOf, playerChange, Source } from '../player-fields.ts';
import type { RestrictNeeds } from '../restrict.ts';

export const importExclusions = operation({
  ...playerChange,
  id: 'importExclusions',
  path: '/v1/player/exclusions',
  summary: 'Load a list of excluded players',
  description:
    'A CSV whose first line names the columns: `email`, `phone`, `document` (country, colon, number), `from`, `until`, `reference`. Each line needs one of the first three. A line in force already is not recorded again; one with the reference of an earlier line of the source moves its end, of `PLAYER` only to later. A damaged file is refused whole.',
  largeBody: 12 << 20,
  body: Type.Object({
    source: Source,
    text: Type.String({ description: 'The text of the file.', minLength: 1, 'x-characters': 'any' }),
    clientId: OperatorId,
    countryCode: Type.Optional(CountryCode),
  }),
  content: Named('ImportedExclusions', 'Result of loading a list.', {
    lines: Type.Integer({ description: 'Lines that were read.' }),
    added: Type.Integer({ description: 'Exclusions that were recorded.' }),
    changed: Type.Integer({ description: 'Exclusions whose end moved.' }),
    unchanged: Type.Integer({ description: 'Lines that were recorded before.' }),
  }),
  example: {
    source: 'GAMSTOP',
    text: 'email,phone,until,reference\nkip@example.com,+254700000001,2027-06-01T00:00:00Z,R-1001\n',
  },
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY'],
  async handle(call, s: RestrictNeeds & Needs<'reference'> & HasAccounts) {
    const { principal, body: b, now } = call;
    const account = await operatorOf(s, call, b.clientId);
    const country = await countryOf(s, principal.psp, account, b.countryCode);
    const content = await importList(s, principal, { account, country, source: b.source, text: b.text, now });
    return { message: 'list loaded', content, replayed: content.added + content.changed === 0 };
  },
});
