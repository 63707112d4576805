// A valid call detail record as operators send it over HTTP, for tests of something else.

/** A call of two minutes on MTN Nigeria. */
export const aCall = {
  caller_number: '+2348031234567',
  receiver_number: '+2348059876543',
  call_start_time: '2026-11-21T09:30:00Z',
  call_end_time: '2026-11-21T09:32:00Z',
  call_duration_seconds: 120,
  call_type: 'VOICE',
  network_provider: 'MTN Nigeria',
  billing_information: { call_cost: 24.5, currency: 'NGN' },
};
