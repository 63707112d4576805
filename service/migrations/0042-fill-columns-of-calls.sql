-- in steps
-- Fills the columns of the call detail records of earlier versions, some thousand at a time. The session keeps up to where.
WITH reached AS (
  SELECT coalesce(nullif(current_setting('assay.calls_filled', true), ''), repeat('00000000-0000-0000-0000-000000000000', 2)) AS at
), next AS MATERIALIZED (
  SELECT psp_id, id FROM cdrs
  WHERE (psp_id, id) > ((SELECT left(at, 36)::uuid FROM reached), (SELECT right(at, 36)::uuid FROM reached)) AND is_late IS NULL
  ORDER BY psp_id, id LIMIT 10000
), filled AS (
  -- The trigger does it.
  UPDATE cdrs c SET is_late = NULL FROM next n WHERE c.psp_id = n.psp_id AND c.id = n.id
), last AS (
  SELECT psp_id, id FROM next ORDER BY psp_id DESC, id DESC LIMIT 1
)
SELECT set_config('assay.calls_filled', psp_id::text || id, false) FROM last;
