-- ensure_partitions works with its owner's rights. What it names is found in the catalogue and in public; what a session
-- has made for itself comes last, so that no view or function of its own is run with these rights.
ALTER FUNCTION ensure_partitions(date, integer) SET search_path = public, pg_temp;
