// Requests the report that fills in a form for a period, and opens it.
import { useNavigate } from '@tanstack/react-router';
import { useDo } from '../../data/use-do.ts';
import { isShop } from './shown.ts';

/** @param clientId the taxpayer; undefined for the PSP with all its clients */
export function useMakeReturn(clientId: string | undefined) {
  const navigate = useNavigate();
  const create = useDo('createReport', { clientId });
  return {
    busy: create.isPending,
    async make(form: string, period: string): Promise<void> {
      const made = await create
        .mutateAsync(isShop(form) ? { kind: 'oneStopShop', quarter: period } : { kind: 'filing', form, period })
        .catch(() => undefined);
      if (made) await navigate({ to: `/returns/${made.reportId}` });
    },
  };
}
