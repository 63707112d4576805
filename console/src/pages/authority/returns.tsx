// Returns that were filed with an authority, each with the document that was filed.

import { Anchor, Group } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { dayInWords } from '../../data/moments.ts';
import { useMe } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { inLanguage } from '../reports/shown.ts';
import { viewInWords } from './pages.ts';

const documents = ['page', 'json', 'xlsx'] as const;
const documentNames = { page: say('Open|verb'), json: say('JSON'), xlsx: say('XLSX') } as const;

/** Pages and workbooks are read by people, in the console's language; JSON has one form. */
const addressOf = (reportId: string, document: (typeof documents)[number]): string => {
  const path = `/v1/report/${reportId}/${document}`;
  return document === 'json' ? path : inLanguage(path);
};

export default function AuthorityReturns() {
  const { view } = useMe().account;
  const pages = usePages('listFilings');
  return (
    <>
      <PageHeader title={say('Filed returns')} lead={view ? viewInWords(view) : null} />
      <Panel title={say('Filed returns')} flush>
        <DataTable
          label={say('Filed returns')}
          pages={pages}
          rowKey={(f) => f.filingId}
          empty={
            <Empty title={say('No return was filed')}>
              {say('A return appears here, with its document, when a taxpayer records that it was filed.')}
            </Empty>
          }
          columns={[
            { key: 'form', header: say('Form'), cell: (f) => f.form },
            { key: 'period', header: say('Period'), cell: (f) => f.period },
            {
              key: 'client',
              header: say('Taxpayer'),
              cell: (f) => f.clientName ?? <Id value={f.clientId} copy={false} />,
            },
            {
              key: 'payable',
              header: say('Tax to pay'),
              align: 'right',
              cell: (f) => <Money amount={f.payable} currency={f.currency} />,
            },
            { key: 'filed', header: say('Filed on'), cell: (f) => dayInWords(f.filedOn) },
            { key: 'reference', header: say('Reference'), cell: (f) => f.reference },
            {
              key: 'documents',
              header: say('Documents'),
              cell: (f) => (
                <Group gap="sm" wrap="nowrap">
                  {documents.map((d) => (
                    <Anchor key={d} href={addressOf(f.reportId, d)} target="_blank" size="sm">
                      {documentNames[d]}
                    </Anchor>
                  ))}
                </Group>
              ),
            },
          ]}
        />
      </Panel>
    </>
  );
}
