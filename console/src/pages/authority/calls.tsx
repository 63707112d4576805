// The calls behind a total that an authority sees. Numbers have most of their digits hidden.

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useFilters } from '../../data/path.ts';
import { taxNamed } from '../../data/tax-names.ts';
import { usePages } from '../../data/use-op.ts';
import { between, say } from '../../words/words.ts';
import { className, duration } from '../cdr/parts.ts';

const above = [{ title: say('Call records'), to: '/authority/calls' }];

export default function AuthorityCalls() {
  const [{ pspId = '', clientId = '', period = '', taxCode }] = useFilters();
  const pages = usePages('listAuthorityCalls', { pspId, clientId, period, taxCode }, { enabled: period !== '' });
  return (
    <>
      <PageHeader
        title={say('Calls')}
        above={above}
        lead={[period, taxCode && taxNamed(taxCode)].filter(Boolean).join(between)}
      />
      <Panel title={say('Calls')} flush>
        <DataTable
          label={say('Calls')}
          pages={period === '' ? { rows: [] } : pages}
          rowKey={(c) => c.cdrId}
          rowTo={(c) => `/authority/calls/${c.cdrId}`}
          empty={
            period === '' ? (
              <Empty
                title={say('Choose a total of calls first')}
                action={
                  <Button component={Link} to="/authority/calls" variant="default" mt="sm">
                    {say('Call records')}
                  </Button>
                }
              />
            ) : (
              <Empty title={say('No record')} />
            )
          }
          columns={[
            { key: 'at', header: say('Began'), cell: (c) => <Stamp at={c.callStart} show="both" /> },
            { key: 'class', header: say('Class'), cell: (c) => className(c.class) },
            { key: 'caller', header: say('Caller'), cell: (c) => c.callerNumber },
            { key: 'receiver', header: say('Called'), cell: (c) => c.receiverNumber },
            { key: 'seconds', header: say('Duration'), align: 'right', cell: (c) => duration(c.seconds) },
            {
              key: 'cost',
              header: say('Cost'),
              align: 'right',
              cell: (c) => <Money amount={c.cost} currency={c.currency} />,
            },
            {
              key: 'taxes',
              header: say('Taxes'),
              cell: (c) =>
                c.taxes.map((t) => (
                  <div key={`${t.rule} ${t.currency}`}>
                    {taxNamed(t.taxCode ?? t.rule)} <Money amount={t.tax} currency={t.currency} />
                  </div>
                )),
            },
          ]}
        />
      </Panel>
    </>
  );
}
