// The columns of a call detail record that reports, rules and filters read. Devices and places are keyed hashes. The
// migration that filled these columns in rows of earlier versions computes the same values from the stored text.
import type { Column, ColumnValues } from '../../core/cdr/record.ts';
import { canonicalText, Numeral } from '../../core/money.ts';

/** @param values as they are stored, with personal ones as keyed hashes */
export function callColumns(values: ColumnValues, warnings: readonly { readonly code: string }[]) {
  const text = (c: Column) => (values[c] as string | undefined) ?? null;
  const number = (c: Column) => {
    const v = values[c];
    return v instanceof Numeral ? canonicalText(v.text) : null;
  };
  const warned = (code: string) => warnings.some((w) => w.code === code);
  const [latitude, longitude] = [text('caller_location_latitude'), text('caller_location_longitude')];
  return {
    caller_number: text('caller_number'),
    receiver_number: text('receiver_number'),
    call_type_sent: text('call_type'),
    call_status: text('call_status'),
    caller_device: text('imei_caller'),
    receiver_device: text('imei_receiver'),
    // Latitude and longitude 0 mean an unknown place.
    caller_place: latitude === null || warned('LOCATION_ZERO') ? null : `${latitude} ${longitude}`,
    data_kb: number('billing_information_data_used_kb'),
    packet_loss: number('voip_details_packet_loss_percentage'),
    jitter_ms: number('voip_details_jitter_ms'),
    latency_ms: number('voip_details_latency_ms'),
    is_late: warned('LATE'),
  };
}
