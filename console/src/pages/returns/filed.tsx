// Returns that were filed, newest first.

import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { moneyColumn } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { CountrySelect } from './country-select.tsx';
import { Days } from './returns.tsx';
import { above, returnPages } from './shown.ts';

export default function Filed() {
  const [filters, setFilters] = useFilters();
  const { country, clientId } = filters;
  const pages = usePages('listFilings', { countryCode: country, clientId });
  return (
    <>
      <PageHeader
        title={say('Filed returns')}
        above={above}
        lead={say(
          'Each is kept as it was filed. What changes in its period afterwards is corrected in the next return of the form.',
        )}
      />
      <SubPages label={say('Pages of returns')} pages={returnPages} />
      <FilterBar>
        <CountrySelect value={country} placeholder={say('Any')} onChange={(v) => setFilters({ country: v })} />
        <ClientSelect label={say('Taxpayer')} value={clientId} onChange={(v) => setFilters({ clientId: v })} />
      </FilterBar>
      <Panel title={say('Filed returns')} flush>
        <DataTable
          label={say('Filed returns')}
          pages={pages}
          rowKey={(f) => f.filingId}
          rowTo={(f) => `/returns/${f.reportId}`}
          empty={
            <Empty title={say('No return was filed')}>
              {say('Open a finished return under “To file” and record it there.')}
            </Empty>
          }
          columns={[
            { key: 'form', header: say('Form'), cell: (f) => f.form },
            { key: 'country', header: say('Country'), cell: (f) => countryName(f.countryCode), wideOnly: true },
            { key: 'period', header: say('Period'), cell: (f) => <Days period={f} /> },
            { key: 'client', header: say('Taxpayer'), cell: (f) => <ClientName id={f.clientId} /> },
            moneyColumn('payable', say('Tax to pay')),
            { key: 'filed', header: say('Filed on'), cell: (f) => dayInWords(f.filedOn) },
            { key: 'reference', header: say('Reference'), cell: (f) => f.reference },
          ]}
        />
      </Panel>
    </>
  );
}
