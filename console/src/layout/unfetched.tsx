// A record's page before the record is loaded: a skeleton, or the error with a retry button.
import { type Crumb, PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { Loading } from './loading.tsx';

interface Props {
  /** Title of the record's page. */
  readonly title: string;
  readonly above: readonly Crumb[];
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export function Unfetched({ title, above, error, refetch }: Props) {
  if (!error) return <Loading />;
  return (
    <>
      <PageHeader title={title} above={above} />
      <Problem error={error} retry={() => void refetch()} />
    </>
  );
}
