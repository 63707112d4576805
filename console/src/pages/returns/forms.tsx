// The forms that returns can be made on, with their sources.

import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { countryName } from '../../data/countries.ts';
import { useFilters } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { CountrySelect } from './country-select.tsx';
import { FormName } from './returns.tsx';
import { above, confidenceWords, type Form, lengthOf, returnPages } from './shown.ts';

export default function Forms() {
  const [filters, setFilters] = useFilters();
  const { country } = filters;
  const { data, error, isPending, refetch } = useOp('listFilingForms', country ? { countryCode: country } : {});
  return (
    <>
      <PageHeader
        title={say('Forms')}
        above={above}
        lead={say(
          'The forms in force today. Check one that is not held against an official text before you rely on it.',
        )}
      />
      <SubPages label={say('Pages of returns')} pages={returnPages} />
      <FilterBar>
        <CountrySelect value={country} placeholder={say('Any')} onChange={(v) => setFilters({ country: v })} />
      </FilterBar>
      <Panel title={say('Forms in force')} flush>
        <DataTable<Form>
          label={say('Forms')}
          pages={{ rows: data?.items, error, loading: isPending, retry: () => void refetch() }}
          rowKey={(f) => f.form}
          rowTo={(f) => `/returns/forms/${f.form}`}
          empty={<Empty title={say('No form')} />}
          columns={[
            { key: 'form', header: say('Form'), cell: (f) => <FormName period={f} /> },
            { key: 'country', header: say('Country'), cell: (f) => countryName(f.countryCode) },
            { key: 'authority', header: say('Authority'), cell: (f) => f.authority },
            {
              key: 'periods',
              header: say('Periods'),
              cell: (f) => [...new Set(f.periods.map(lengthOf))].join(', '),
            },
            { key: 'currency', header: say('Currency'), cell: (f) => f.currency, wideOnly: true },
            { key: 'confidence', header: say('Source'), cell: (f) => confidenceWords[f.confidence] ?? f.confidence },
          ]}
        />
      </Panel>
    </>
  );
}
