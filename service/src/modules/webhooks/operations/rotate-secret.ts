// Issues a new webhook secret; the old one also signs until the grace period ends.
import { orThrow } from '../../../core/refusal.ts';
import {
  clientId,
  concernedAccount,
  type ForgetsSessions,
  type HasAccounts,
  type HasKeys,
} from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { rotateSecret as rotate } from '../signing-secrets.ts';

const usualGraceHours = 24;
const longestGraceHours = 168;

export const rotateSecret = operation({
  id: 'rotateSecret',
  method: 'POST',
  path: '/v1/client/rotateSecret',
  tag: 'Webhooks',
  summary: 'Rotate the webhook secret',
  description:
    'The new secret is shown only in this response. Until `previousUntil`, the header `webhook-signature` carries one signature per secret and `X-Signature` is made with the old secret; after that, both are made with the new one. Rotating again before then replaces the new secret, not the old one.',
  audience: ['psp', 'client'],
  body: Type.Object({
    graceHours: Type.Optional(
      Type.Integer({
        description: `Hours that the old secret still signs, at most ${longestGraceHours}; default ${usualGraceHours}. 0 ends it at once, for a leaked secret.`,
        minimum: 0,
        maximum: longestGraceHours,
      }),
    ),
  }),
  content: Named('WebhookSecret', 'The new secret that signs webhooks.', {
    clientId: Type.String(),
    secret: Type.String(),
    previousUntil: Type.Union([Type.String(), Type.Null()], {
      description: 'When the former secret stops signing, ISO 8601 UTC; null if it has.',
    }),
  }),
  example: { graceHours: 24 },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(
    { principal, onBehalfOf, body, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasAccounts & HasKeys & ForgetsSessions,
  ) {
    const account = orThrow(concernedAccount(principal, onBehalfOf));
    const graceMs = (body.graceHours ?? usualGraceHours) * 3_600_000;
    const made = await rotate(s, principal, { psp: principal.psp, account }, graceMs, now);
    return {
      message: 'secret rotated; keep it, it is not shown again',
      content: { clientId: clientId({ psp: principal.psp, id: account }), ...made },
    };
  },
});
