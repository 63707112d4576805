// POST /v1/admin/proposal: propose a change of rates.
import { exactJson } from '../../../core/json.ts';
import { orThrow, refuse } from '../../../core/refusal.ts';
import { GraceHours, keyFields } from '../../accounts/index.ts';
import { viewAsked } from '../../authorities/index.ts';
import { correctionFields, rangeOf } from '../../corrections/index.ts';
import { Named, type Needs, operation, Reason, Text, Type } from '../../kernel/operation.ts';
import { feeFields, type HasRateKeeper, hashInForce, isLiveFee, notLive, readFee } from '../../rates/index.ts';
import type { HasRiskBook } from '../../risk/index.ts';
import { who } from '../../subjects/index.ts';
import type { HasRequirements } from '../../verification/index.ts';
import { correctionSubject, correctionText } from '../approved-correction.ts';
import { Document, people } from '../proposal-fields.ts';
import { ProposalResource } from '../proposal-resource.ts';
import { propose } from '../propose.ts';
import { levelFields, readLevel } from '../proposed-level.ts';
import { expectOne, readAct } from '../read-act.ts';

export const openProposal = operation({
  id: 'openProposal',
  method: 'POST',
  path: '/v1/admin/proposal',
  tag: 'Proposals',
  summary: "Propose a change of rates, a risk rule or a client's level",
  description:
    "One of: a country's tax rules (`country`, as in loadTax), a fee row (`fee`, as in setFee), the end of a fee row (`feeEnd`), a correction (`correction`, as in correctRates, which is then called with the `proposalId`), the next version of a risk rule (`risk`, which is evaluated without effect while it is open), or a higher verification level of a client (`level`), once its requirements are met; or an operator (`operator`), a key of one (`operatorKey`), an authority (`authority`) or the erasure of a person (`erasure`, also for PSPs), which the same person then makes with the `proposalId`. The proposal is checked at once and takes effect only when another person approves it. There is at most one open proposal per country, fee row, correction, risk rule, client, operator, key, authority or person.",
  audience: ['operator', 'psp'],
  roles: people,
  largeBody: true,
  body: Type.Object({
    reason: Reason,
    country: Type.Optional(Document('A country file as service/data/tax/README.md describes.')),
    fee: Type.Optional(Named('ProposedFee', 'A fee row to be added.', feeFields)),
    feeEnd: Type.Optional(
      Named('ProposedFeeEnd', 'A fee row to be ended.', { feeId: Type.String({ minLength: 1, maxLength: 80 }) }),
    ),
    operator: Type.Optional(
      Named('ProposedOperator', 'An operator to be created.', { name: Text('Name of the person or tool.', 300) }),
    ),
    operatorKey: Type.Optional(
      Named('ProposedOperatorKey', 'A key of an operator, as in issueKey.', {
        accountId: Text("The operator's account, `psp_…`.", 64),
        name: Text('Purpose of the login.', 100),
        expiresAt: keyFields.expiresAt,
        scopes: keyFields.scopes,
        graceHours: GraceHours,
      }),
    ),
    authority: Type.Optional(
      Named(
        'ProposedAuthority',
        'An authority to be let in, or what one sees, as in createAuthority and changeAuthority.',
        {
          name: Type.Optional(Text('Name of a new authority.', 300)),
          authorityId: Type.Optional(Text('The authority to be changed, `psp_…`.', 64)),
          ...viewAsked,
        },
      ),
    ),
    erasure: Type.Optional(Named('ProposedErasure', 'A person to be erased, as in eraseSubject.', who)),
    level: Type.Optional(Named('ProposedLevel', 'A higher verification level of a client.', levelFields)),
    correction: Type.Optional(Named('ProposedCorrection', 'Transactions to be adjusted.', correctionFields)),
    risk: Type.Optional(Document('A rule of the risk book as service/data/risk/README.md describes.')),
  }),
  content: ProposalResource,
  example: {
    reason: 'contract of 2027',
    fee: { feeId: 'EXAMPLE-PAY-2027', percent: '1.5', validFrom: '2027-01-01' },
  },
  refusals: ['RATES_INVALID', 'RISK_RULE_INVALID', 'NOT_FOUND', 'UNKNOWN_COUNTRY', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(
    { principal, body: b, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference' | 'rates' | 'vault' | 'subjects'> &
      HasRateKeeper &
      HasRequirements &
      HasRiskBook,
  ) {
    expectOne(b);
    if (principal.kind !== 'operator' && b.erasure === undefined)
      throw refuse('AUDIENCE', "a PSP proposes erasures only, in the field 'erasure'");
    const setting = b.level
      ? 'levels'
      : b.operator || b.operatorKey
        ? 'operator-keys'
        : b.authority
          ? 'authorities'
          : b.erasure
            ? 'erasure'
            : 'rates';
    if (s.settings.requireTwoPersons.includes(setting) && !principal.session)
      throw refuse('TWO_PERSONS', 'proposals are made by people who signed in; REQUIRE_TWO_PERSONS asks for it');
    const act = await readAct(s, { principal, now }, b);
    if (act) return propose(s, principal, act, act.content, b.reason, now);
    if (b.fee !== undefined) {
      const rule = await readFee(s, b.fee);
      await s.rateKeeper.checkFee(rule);
      const content = JSON.stringify(rule);
      return propose(s, principal, { kind: 'FEE', subject: rule.feeId }, content, b.reason, now);
    }
    if (b.feeEnd !== undefined) {
      const { feeId } = b.feeEnd;
      if (!(await isLiveFee(s.db, feeId))) throw notLive(feeId);
      return propose(s, principal, { kind: 'FEE_END', subject: feeId }, JSON.stringify({ feeId }), b.reason, now);
    }
    if (b.level !== undefined) {
      const { subject, content } = await readLevel(s, b.level, now);
      return propose(s, principal, { kind: 'LEVEL', subject }, content, b.reason, now);
    }
    if (b.correction !== undefined) {
      orThrow(await rangeOf(s, b.correction, now));
      return propose(s, principal, correctionSubject(b.correction), correctionText(b.correction), b.reason, now);
    }
    if (b.risk !== undefined) {
      const { rule, text } = await s.riskBook.checked(s.db, JSON.parse(exactJson(b.risk)));
      const proposed = await propose(s, principal, { kind: 'RISK', subject: rule.id }, text, b.reason, now);
      await s.riskBook.refresh();
      return proposed;
    }
    const text = exactJson(b.country);
    const [file] = s.rateKeeper.checkTax(s, [{ name: 'country', text }]);
    const subject = file?.country.jurisdiction ?? '';
    return propose(s, principal, { kind: 'TAX', subject }, text, b.reason, now, await hashInForce(s.db, subject));
  },
});
