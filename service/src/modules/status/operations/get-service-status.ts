// GET /v1/admin/status: the state of the service itself, for staff.
import { checkAreas, checkStates, checksOf, worstOf } from '../../../core/status/checks.ts';
import { version } from '../../../platform/version.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { figuresOf } from '../figures.ts';

const State = Type.Enum(checkStates, {
  description: 'UNKNOWN: could not be read; the log says why.',
});

export const getServiceStatus = operation({
  id: 'getServiceStatus',
  method: 'GET',
  path: '/v1/admin/status',
  tag: 'Overview',
  area: 'administration',
  summary: 'State of the service: processes, journal, queues, database, storage, keys',
  description: 'Each check says in words what was found and what to do. It names no path, host or secret.',
  audience: ['operator'],
  content: Named('ServiceStatus', 'The state of the service.', {
    at: Type.String(),
    version: Type.String({ description: 'Version of the process that answers.' }),
    state: State,
    checks: Type.Array(
      Named('ServiceCheck', 'A figure of the service and what it means.', {
        name: Type.String({ description: 'Stable name.' }),
        area: Type.Enum(checkAreas, { description: 'Part of the service that it is about.' }),
        title: Type.String(),
        state: State,
        value: Type.String({ description: 'The figure in words.' }),
        advice: Nullable(Type.String(), 'A sentence on what to do; null if nothing is.'),
      }),
      { description: 'The checks, by area.' },
    ),
  }),
  async handle({ now }, s: Needs<'db' | 'settings' | 'log'>) {
    const checks = checksOf(await figuresOf(s, now));
    return {
      message: 'state of the service',
      content: { at: new Date(now).toISOString(), version, state: worstOf(checks), checks },
    };
  },
});
