// One call that an authority sees, with its taxes. Its numbers are shown in clear for a reason, which is journalled.

import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { TaxReason } from '../../components/tax-reason.tsx';
import { type Content, call } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { taxNamed } from '../../data/tax-names.ts';
import { tellRefusal } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { between, say } from '../../words/words.ts';
import { className, duration } from '../cdr/parts.ts';

const above = [{ title: say('Call records'), to: '/authority/calls' }];

export default function AuthorityCallPage() {
  const cdrId = usePath('cdrId');
  const [clear, setClear] = useState<Content<'getAuthorityCall'>>();
  const { data, error, refetch } = useOp('getAuthorityCall', { cdrId });
  if (error || !data) return <Unfetched title={say('Call')} above={above} error={error} refetch={refetch} />;
  const c = clear?.cdrId === cdrId ? clear : data;
  const show = async (reason: string) => {
    try {
      setClear(await call('getAuthorityCall', { cdrId, reason }, {}));
    } catch (e) {
      tellRefusal(e);
      throw e;
    }
  };
  return (
    <>
      <PageHeader
        title={say('Call')}
        above={above}
        lead={`${c.clientName}${between}${c.pspName}`}
        actions={
          <ConfirmButton
            label={say('Show the numbers')}
            question={say('Show the numbers of this call?')}
            reason="required"
            onConfirm={show}
          >
            {say('Why they must be seen, in ten characters at least.')}
          </ConfirmButton>
        }
      />
      <Panel title={say('Call')}>
        <Facts
          columns={2}
          items={[
            [say('Caller'), c.callerNumber],
            [say('Called'), c.receiverNumber],
            [say('Began'), <Stamp key="at" at={c.callStart} show="both" />],
            [say('Duration'), duration(c.seconds)],
            [say('Class'), className(c.class)],
            [say('Network'), c.networkProvider],
            [say('Month'), c.period],
            [say('Cost'), <Money key="cost" amount={c.cost} currency={c.currency} />],
            [say('Id'), <Id key="id" value={cdrId} full what={say('record id')} />],
          ]}
        />
      </Panel>
      <Panel title={say('Taxes')} flush>
        <PlainTable
          label={say('Taxes')}
          pages={{ rows: c.taxes }}
          rowKey={(t) => `${t.rule} ${t.currency}`}
          columns={[
            { key: 'tax', header: say('Tax'), cell: (t) => taxNamed(t.taxCode ?? t.rule) },
            { key: 'rule', header: say('Rule'), cell: (t) => t.rule, wideOnly: true },
            {
              key: 'taxable',
              header: say('Taxable'),
              align: 'right',
              cell: (t) => (t.taxable === null ? <Nothing /> : <Money amount={t.taxable} currency={t.currency} />),
            },
            {
              key: 'due',
              header: say('Tax amount'),
              align: 'right',
              cell: (t) => <Money amount={t.tax} currency={t.currency} />,
            },
            { key: 'how', header: say('How it is due'), cell: (t) => inWords(t.method), wideOnly: true },
            {
              key: 'reason',
              header: say('Reason'),
              cell: (t) => <TaxReason reason={t.reason} />,
            },
          ]}
        />
      </Panel>
    </>
  );
}
