// assay report schedule: reports that are made again and again.
import type { Item } from '@assay/client';
import { add, type Command, call, group, needed, option, paged } from './command.ts';
import type { Output } from './output.ts';
import { given, parametersOf, repeated } from './report-parameters.ts';
import { withSession } from './session.ts';

type Schedule = Item<'listReportSchedules'>;

const rhythmText = ({ every, onDay, hour, timeZone }: Schedule): string =>
  `every ${every.toLowerCase()}${onDay === null ? '' : ` on day ${onDay}`} at ${hour}:00 ${timeZone}`;

function show(out: Output, items: readonly Schedule[]): void {
  if (items.length === 0) out.line('no schedules');
  else
    out.table<Schedule>(items, [
      { title: 'Schedule', value: (s) => s.scheduleId },
      { title: 'Account', value: (s) => s.clientId },
      { title: 'Kind', value: (s) => s.kind },
      { title: 'When', value: rhythmText },
      { title: 'State', value: (s) => s.state },
      { title: 'Next', value: (s) => s.nextAt },
      { title: 'Problem', value: (s) => s.problem },
    ]);
}

const numbered = (flags: string, description: string) =>
  option(flags, description).argParser((text) => (/^\d{1,2}$/.test(text) ? Number(text) : text));

export function scheduleCommands(report: Command): void {
  const schedule = group(report, 'schedule', 'reports made every day, week or month');
  add<{
    client: string;
    every: string;
    onDay?: number;
    hour: number;
    timeZone: string;
    covers?: string;
    set?: string[];
  }>(
    schedule,
    'create <kind>',
    'schedule a report',
    [
      needed('--client <accountId>', 'the client concerned, or a PSP: then with all its clients'),
      needed('--every <rhythm>', 'how often').choices(['DAY', 'WEEK', 'MONTH']),
      numbered('--on-day <day>', 'day of the week, 1 is Monday, or of the month'),
      numbered('--hour <hour>', 'hour of the day, 0 to 23').default(6),
      needed('--time-zone <zone>', 'such as Africa/Lagos'),
      option('--covers <what>', 'what has ended by then, or what is still running').choices(['FINISHED', 'RUNNING']),
      option('--set <name=value>', 'a parameter of the report; may be given several times').argParser(repeated),
    ],
    (out, { client, every, onDay, hour, timeZone, covers, set }, kind) =>
      withSession(out, async (session) => {
        const schemas = await parametersOf(session, kind ?? '');
        const body = { kind, clientId: client, every, onDay, hour, timeZone, covers, ...given(set ?? [], schemas) };
        const made = await session.ask('createReportSchedule', body, {
          options: { clientId: '--client', timeZone: '--time-zone', onDay: '--on-day' },
        });
        out.result(made, () => show(out, [made]));
      }),
  );
  call(
    schedule,
    'list',
    'list schedules, newest first',
    [
      option('--client <accountId>', 'only about this client or PSP', 'clientId'),
      option('--state <state>', 'only in this state').choices(['ACTIVE', 'ENDED']),
      ...paged(100, 10_000, 'schedules'),
    ],
    'listReportSchedules',
    { listed: true, show: (out, { items }) => show(out, items) },
  );
  add(schedule, 'end <scheduleId>', 'make no further report of a schedule', [], (out, _options, scheduleId) =>
    withSession(out, async (session) => {
      const ended = await session.ask('endReportSchedule', { scheduleId });
      out.result(ended, () => show(out, [ended]));
    }),
  );
}
