// Returns that were filed, newest first.
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { CountrySelect } from './country-select.tsx';
import { Days } from './returns.tsx';
import { above, returnPages } from './shown.ts';

export default function Filed() {
  const [filters, setFilters] = useFilters();
  const { country, clientId } = filters;
  const pages = usePages('listFilings', {
    ...(country ? { countryCode: country } : {}),
    ...(clientId ? { clientId } : {}),
  });
  return (
    <>
      <PageHeader
        title="Filed returns"
        above={above}
        lead="Each is kept as it was filed. What changes in its period afterwards is corrected in the next return of the form."
      />
      <SubPages label="Pages of returns" pages={returnPages} />
      <FilterBar>
        <CountrySelect value={country} placeholder="Any" onChange={(v) => setFilters({ country: v })} />
        <ClientSelect label="Taxpayer" value={clientId} onChange={(v) => setFilters({ clientId: v })} />
      </FilterBar>
      <Panel title="Filed" flush>
        <DataTable
          label="Filed returns"
          pages={pages}
          rowKey={(f) => f.filingId}
          rowTo={(f) => `/returns/${f.reportId}`}
          empty={<Empty title="No return was filed">Open a finished return under “To file” and record it there.</Empty>}
          columns={[
            { key: 'form', header: 'Form', cell: (f) => f.form },
            { key: 'country', header: 'Country', cell: (f) => countryName(f.countryCode), wideOnly: true },
            { key: 'period', header: 'Period', cell: (f) => <Days period={f} /> },
            { key: 'client', header: 'Taxpayer', cell: (f) => <ClientName id={f.clientId} /> },
            {
              key: 'payable',
              header: 'Tax to pay',
              align: 'right',
              cell: (f) => <Money amount={f.payable} currency={f.currency} />,
            },
            { key: 'filed', header: 'Filed on', cell: (f) => dayInWords(f.filedOn) },
            { key: 'reference', header: 'Reference', cell: (f) => f.reference },
          ]}
        />
      </Panel>
    </>
  );
}
