import { added } from '../../../core/cases/case.ts';
import { toWire } from '../../../core/ids.ts';
import { Named, operation, Prose, Text, Type } from '../../kernel/operation.ts';
import { currencyCode, form } from '../../kernel/text-forms.ts';
import { caseChange } from '../asked-case.ts';
import { sealFile } from '../case-files.ts';
import { type CaseNeeds, changeCaseAsRead } from '../change-case.ts';
import { writeStr } from '../write-str.ts';

export const exportStr = operation({
  ...caseChange,
  id: 'exportStr',
  path: '/v1/case/:caseId/str',
  summary: 'Write a suspicious transaction report of a case',
  description:
    'As goAML XML, with the client and its directors, the transactions and what is known of their customers. It is put into the case as a sealed file, numbered by case and report, and read by getCaseFile; sending it to the intelligence unit is yours, markStrSent says when it was.',
  body: Type.Object({
    reportingEntity: Type.String({
      description: 'The number the intelligence unit gave you (`rentity_id`).',
      ...form('^[1-9][0-9]{0,8}$', 'a number of at most 9 digits that does not begin with 0'),
      maxLength: 9,
    }),
    code: Type.Optional(
      Type.Enum(['STR', 'SAR'], { description: 'STR (default): of transactions. SAR: of activity.' }),
    ),
    currency: Type.String({
      description: 'The currency the report is in, ISO 4217.',
      ...currencyCode,
      maxLength: 3,
    }),
    rates: Type.Optional(
      Type.Array(
        Named('StrRate', 'The value of one unit of a currency in the currency of the report.', {
          currency: Type.String({ maxLength: 12 }),
          rate: Type.String({
            description: 'Exact decimal text.',
            ...form(
              '^\\d{1,15}(\\.\\d{1,15})?$',
              'a number without a sign, such as 1512.25, with at most 15 digits before and after the point',
            ),
            maxLength: 31,
          }),
        }),
        { description: 'For transactions in other currencies.', maxItems: 20 },
      ),
    ),
    codes: Type.Optional(
      Named('StrCodes', "Codes of the intelligence unit's own lists, for the whole report. Default `-`, unknown.", {
        report: Type.Optional(Text('Kind of report (`report_code`); by default `STR` or `SAR`.', 20)),
        transmode: Type.Optional(Text('Way in which the transactions were conducted (`transmode_code`).', 20)),
        funds: Type.Optional(Text('Kind of funds (`from_funds_code`, `to_funds_code`).', 20)),
        legalForm: Type.Optional(Text('Legal form of the client (`incorporation_legal_form`).', 20)),
        contact: Type.Optional(Text('Kind of addresses and telephones (`address_type`, `tph_contact_type`).', 20)),
        communication: Type.Optional(Text('Kind of telephones (`tph_communication_type`).', 20)),
        partyRole: Type.Optional(Text('Role of those who took part, where it is not known who paid whom.', 20)),
        directorRole: Type.Optional(Text('Role of directors of the client; by default none.', 20)),
      }),
    ),
    clientAddress: Type.Optional(
      Named('StrAddress', "The client's address, in its country. Without it `UNKNOWN` is written.", {
        address: Text('Street and number.', 100),
        city: Text('Town or city.', 255),
      }),
    ),
    reportedBy: Named('StrReporter', 'The person who reports it.', {
      firstName: Text('First name.', 100),
      lastName: Text('Last name.', 100),
      email: Type.Optional(Text('E-mail address.', 200)),
    }),
    reason: Prose('Why it is suspicious.', 4000),
    action: Prose('The action that was taken.', 4000),
    indicators: Type.Array(Text('Code of an indicator of the intelligence unit.', 25), {
      minItems: 1,
      maxItems: 30,
      description: 'Codes of indicators of the intelligence unit.',
    }),
    transactionIds: Type.Array(Text('A transaction of the client, `txn_…`.', 64), {
      description: 'At least one, unless it is a SAR.',
      maxItems: 500,
    }),
  }),
  example: {
    reportingEntity: '1234',
    currency: 'NGN',
    reportedBy: { firstName: 'Ngozi', lastName: 'Eze' },
    reason: 'deposits just below the threshold, paid out at once',
    action: 'the client is on hold',
    indicators: ['STRUCTURING'],
    transactionIds: ['txn_01h455vb4pex5vsknk084sn02q'],
  },
  refusals: ['NOT_FOUND'],
  async handle(call, s: CaseNeeds) {
    return changeCaseAsRead(s, call, async (found, items) => {
      const number = items.filter((i) => i.content.step === 'str').length + 1;
      const { reference, bytes, sha256 } = await writeStr(s, found, number, call.body, call.now);
      const id = await sealFile(s, found, bytes);
      return {
        step: 'str',
        message: `report ${reference} written: ${toWire('caseItem', id)}`,
        to: added,
        items: [
          {
            ...{ kind: 'FILE', id, text: `str-${reference}.xml` },
            content: { step: 'str', type: 'application/xml', size: bytes.length, sha256 },
          },
        ],
      };
    });
  },
});
