-- Every column of a call detail record that reports, rules and filters read is a column of its own; devices and places
-- are the keyed hashes that stand in the record. Takes no time: what rows of earlier versions hold is filled in next.
ALTER TABLE cdrs
  ADD COLUMN caller_number text,
  ADD COLUMN receiver_number text,
  ADD COLUMN call_type_sent text,
  ADD COLUMN call_status text,
  ADD COLUMN caller_device text,
  ADD COLUMN receiver_device text,
  ADD COLUMN caller_place text,             -- null where none is known
  ADD COLUMN data_kb numeric,
  ADD COLUMN packet_loss numeric,
  ADD COLUMN jitter_ms numeric,
  ADD COLUMN latency_ms numeric,
  ADD COLUMN is_late boolean;               -- null in a row that was not filled in yet

-- Reads a row's columns out of its text: of the rows there are, when the next step of the upgrade touches them, and of
-- those that a process of the version before records meanwhile, which knows nothing of the columns.
CREATE FUNCTION complete_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT x.caller_number, x.receiver_number, x.call_type, x.call_status, x.imei_caller, x.imei_receiver,
    CASE WHEN strpos(NEW.warnings, '"LOCATION_ZERO"') = 0
      THEN x.caller_location_latitude || ' ' || x.caller_location_longitude END,
    x.billing_information_data_used_kb, x.voip_details_packet_loss_percentage, x.voip_details_jitter_ms,
    x.voip_details_latency_ms, strpos(NEW.warnings, '"LATE"') > 0
  INTO NEW.caller_number, NEW.receiver_number, NEW.call_type_sent, NEW.call_status, NEW.caller_device,
    NEW.receiver_device, NEW.caller_place, NEW.data_kb, NEW.packet_loss, NEW.jitter_ms, NEW.latency_ms, NEW.is_late
  FROM json_to_record(NEW.record::json) AS x(caller_number text, receiver_number text, call_type text, call_status text,
    imei_caller text, imei_receiver text, caller_location_latitude text, caller_location_longitude text,
    billing_information_data_used_kb numeric, voip_details_packet_loss_percentage numeric,
    voip_details_jitter_ms numeric, voip_details_latency_ms numeric);
  RETURN NEW;
END $$;
CREATE TRIGGER complete_call BEFORE INSERT OR UPDATE ON cdrs
  FOR EACH ROW WHEN (NEW.is_late IS NULL) EXECUTE FUNCTION complete_call();
