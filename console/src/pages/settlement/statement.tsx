// The statement of a month: what each party receives and returns, and the postings behind it, which sum to zero.

import { Alert, Anchor, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DownloadList } from '../../components/download-list.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stat } from '../../components/stat.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { groupDigits } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { useClientName } from '../../data/clients.ts';
import { countryName } from '../../data/countries.ts';
import { day } from '../../data/now.ts';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { sumOf } from '../../data/sums.ts';
import { useOp } from '../../data/use-op.ts';
import { usePortions } from '../../data/use-portions.ts';
import { Loading } from '../../layout/loading.tsx';
import { locale } from '../../words/language.ts';
import { rich } from '../../words/rich.ts';
import { between, plural, say } from '../../words/words.ts';
import { accountName, daysOf, settlementPages } from './parts.ts';

type Statement = Content<'getStatement'>['items'][number];
const parties = ['MERCHANT', 'PSP', 'SERVICE', 'TAX_AUTHORITY'] as const;
/** Of more clients than have room in full, a table; its rows lead to the statements of one. */
const inFull = 5;
const atOnce = 50;

export default function StatementPage() {
  const [filters, setFilters] = useFilters();
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(filters.month ?? '') ? (filters.month as string) : day().slice(0, 7);
  const { clientId } = filters;
  const { pspId } = usePsp();
  const asked = { ...daysOf(month), ...(clientId ? { clientId } : {}) };
  const { data, error, refetch } = useOp('getStatement', asked, { every: 60_000 });
  return (
    <>
      <PageHeader
        title={say('Settlement')}
        lead={say(
          'Double entry, by client, country and currency: what approved transactions, chargebacks and nettings posted.',
        )}
        actions={
          data && data.items.length > 0 ? (
            <DownloadList
              label={say('Statement')}
              source={{ operation: 'getStatement', input: asked, called: pspId ? { pspId } : {} }}
            />
          ) : undefined
        }
      />
      <SubPages label={say('Pages of settlement')} pages={settlementPages} />
      <FilterBar>
        <TextInput
          label={say('Month')}
          type="month"
          value={month}
          onChange={(e) => setFilters({ month: e.currentTarget.value })}
        />
        <ClientSelect value={clientId} onChange={(v) => setFilters({ clientId: v })} />
      </FilterBar>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? (
        <Stack>
          {data.entriesBehind > 0 ? (
            <Alert color="brass" variant="light">
              <Text size="sm">
                {rich('{entriesBehind} journal entries are not counted yet.', {
                  entriesBehind: data.entriesBehind.toLocaleString(locale),
                })}
              </Text>
            </Alert>
          ) : null}
          {data.items.length === 0 ? (
            <Panel title={say('Statement')}>
              <Empty title={say('Nothing was posted in this month')}>
                {say('A statement appears with the first approved transaction.')}
              </Empty>
            </Panel>
          ) : clientId || data.items.length <= inFull ? (
            data.items.map((s) => <OneStatement key={keyOf(s)} statement={s} month={month} />)
          ) : (
            <ManyStatements statements={data.items} month={month} />
          )}
        </Stack>
      ) : null}
    </>
  );
}

const keyOf = (s: Statement) => `${s.clientId} ${s.countryCode} ${s.currency}`;

function ManyStatements({ statements, month }: { readonly statements: readonly Statement[]; readonly month: string }) {
  const off = statements.filter((s) => !isZero(s.balance));
  // What is off comes first, so that none of it is behind the button.
  const pages = usePortions([...off, ...statements.filter((s) => isZero(s.balance))], atOnce);
  return (
    <Panel
      title={plural(statements.length, '{n} statement', '{n} statements')}
      actions={
        <StatusBadge
          status="balanced"
          tone={off.length === 0 ? 'good' : 'bad'}
          label={off.length === 0 ? say('All balanced') : plural(off.length, '{n} is off', '{n} are off')}
        />
      }
      flush
    >
      <DataTable
        label={say('Statements')}
        pages={pages}
        rowKey={keyOf}
        rowTo={(s) => `/settlement?${new URLSearchParams({ month, clientId: s.clientId })}`}
        columns={[
          { key: 'client', header: say('Client'), cell: (s) => <ClientName id={s.clientId} /> },
          { key: 'country', header: say('Country'), cell: (s) => countryName(s.countryCode) },
          {
            key: 'took',
            header: say('The PSP took in'),
            align: 'right',
            cell: (s) => <Money amount={s.collected.heldByPsp} currency={s.currency} />,
          },
          {
            key: 'payable',
            header: say('Payable to the merchant'),
            align: 'right',
            cell: (s) =>
              owes(s, 'MERCHANT') ? <Nothing /> : <Money amount={s.payable.MERCHANT ?? '0'} currency={s.currency} />,
          },
          {
            key: 'owed',
            header: say('The merchant owes the PSP'),
            align: 'right',
            cell: (s) => {
              const owed = owes(s, 'MERCHANT');
              return owed ? <Money amount={owed} currency={s.currency} /> : <Nothing />;
            },
          },
          {
            key: 'balance',
            header: say('Balance'),
            cell: (s) => (
              <StatusBadge status="balanced" tone={isZero(s.balance) ? 'good' : 'bad'} label={balanceWords(s)} />
            ),
          },
        ]}
      />
    </Panel>
  );
}

function OneStatement({ statement: s, month }: { readonly statement: Statement; readonly month: string }) {
  const { clientId, countryCode, currency, timeZone: zone } = s;
  const of = new URLSearchParams({ clientId, countryCode, currency, ...daysOf(month), zone });
  const name = useClientName(clientId) ?? clientId;
  return (
    <Panel
      title={`${name}, ${countryName(s.countryCode)}, ${s.currency}`}
      actions={<StatusBadge status="balanced" tone={isZero(s.balance) ? 'good' : 'bad'} label={balanceWords(s)} />}
    >
      <Stack>
        <Text size="sm" component="div">
          {rich('{client} · {approved} approved, {chargedBack} charged back', {
            client: <ClientName id={s.clientId} link />,
            approved: <Records count={s.approved} to={`/transactions?status=APPROVED&${of}`} />,
            chargedBack: <Records count={s.chargedBack} to={`/transactions?chargedBack=true&${of}`} />,
          })}
        </Text>
        <Collected statement={s} />
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {parties.map((p) => (
            <Stat
              key={p}
              name={say('{side}: {account}', {
                side: owes(s, p) ? say('Owes the PSP') : say('Payable'),
                account: accountName(p).toLowerCase().replace('psp', 'PSP'),
              })}
              value={<Money amount={owes(s, p) ?? s.payable[p] ?? '0'} currency={s.currency} />}
              chars={groupDigits(`${s.payable[p] ?? 0}`, s.currency).length + s.currency.length + 1}
              note={
                isZero(s.toReturn[p] ?? '0')
                  ? say('nothing to return')
                  : rich('to return {toReturn}', { toReturn: <Money amount={s.toReturn[p]} currency={s.currency} /> })
              }
              {...(p === 'MERCHANT' ? { to: `/transactions?status=APPROVED&${of}` } : {})}
            />
          ))}
        </SimpleGrid>
        <Postings statement={s} />
      </Stack>
    </Panel>
  );
}

function Records({ count, to }: { readonly count: number; readonly to: string }) {
  const words = count.toLocaleString(locale);
  if (count === 0) return words;
  return (
    <Anchor component={Link} to={to} inherit underline="always">
      {words}
    </Anchor>
  );
}

/** What a party owes the PSP, if it does. */
const owes = (s: Statement, party: string) => s.debts.find((d) => d.from === party && d.to === 'PSP')?.amount;

/** Where the customers' money is. */
function Collected({ statement: s }: { readonly statement: Statement }) {
  const { heldByPsp, cash, vouchers, discounts } = s.collected;
  const elsewhere = [
    [say('in cash, with the merchant'), cash],
    [say('in vouchers'), vouchers],
    [say('in discounts'), discounts],
  ] as const;
  return (
    <Text size="sm" component="div">
      {rich('The PSP took in {heldByPsp}', { heldByPsp: <Money amount={heldByPsp} currency={s.currency} /> })}
      {isZero(s.paidOut) ? null : (
        <>
          {between}
          {rich('and paid out {paidOut} by withdrawals', {
            paidOut: <Money amount={s.paidOut} currency={s.currency} />,
          })}
        </>
      )}
      {elsewhere
        .filter(([, amount]) => !isZero(amount))
        .map(([where, amount]) => (
          <span key={where}>
            {between}
            <Money amount={amount} currency={s.currency} /> {where}
          </span>
        ))}
    </Text>
  );
}

const isZero = (amount: string): boolean => /^-?0*(\.0*)?$/.test(amount);
const balanceWords = (s: Statement): string =>
  isZero(s.balance) ? say('Balanced') : say('Off by {balance}', { balance: groupDigits(s.balance, s.currency) });

function Postings({ statement: s }: { readonly statement: Statement }) {
  const total = {
    account: '',
    kind: '',
    debit: sumOf(s.postings.map((p) => p.debit)),
    credit: sumOf(s.postings.map((p) => p.credit)),
  };
  type Line = Statement['postings'][number] | typeof total;
  const amount = (line: Line, a: string) =>
    isZero(a) ? '' : <Money amount={a} currency={s.currency} strong={line === total} />;
  return (
    <DataTable<Line>
      label={say('Postings of {countryCode}, {currency}', {
        countryCode: countryName(s.countryCode),
        currency: s.currency,
      })}
      pages={{ rows: [...s.postings, total] }}
      rowKey={(p) => `${p.kind} ${p.account}`}
      columns={[
        {
          key: 'account',
          header: say('Account'),
          cell: (p) => (p === total ? <b>{say('Debits and credits')}</b> : accountName(p.account)),
        },
        { key: 'kind', header: say('By'), cell: (p) => (p === total ? '' : inWords(p.kind)) },
        { key: 'debit', header: say('Debit'), align: 'right', cell: (p) => amount(p, p.debit) },
        { key: 'credit', header: say('Credit'), align: 'right', cell: (p) => amount(p, p.credit) },
      ]}
    />
  );
}
