// Traces: a span for each request, joined to the caller's trace, and one for each commit, sent as OTLP over HTTP.
// Recorded afterwards, so that nothing is passed through the work itself; without a collector none of this is loaded.
// Spans the collector is too slow for are dropped, never waited for.
import type { Tracer } from '@opentelemetry/api';
import type { Clock } from './clock.ts';
import { version } from './version.ts';

interface TracedRequest {
  readonly method: string;
  /** The declared route, without ids. */
  readonly route: string;
  readonly status: number;
  readonly requestId: string;
  readonly elapsedMs: number;
  /** The caller's headers, for `traceparent` and `tracestate`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Tracing {
  request(r: TracedRequest): void;
  batch(b: { readonly size: number; readonly commitMs: number }): void;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/** @param collector base URL, to which `/v1/traces` is added */
export async function startTracing(collector: string, clock: Clock): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes }, { W3CTraceContextPropagator }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${collector.replace(/\/+$/, '')}/v1/traces` });
  const provider = new sdk.TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'assay', 'service.version': version })),
    // The caller decides whether the trace is sampled.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize: 8192, scheduledDelayMillis: 1000 })],
  });
  const tracer: Tracer = provider.getTracer('assay');
  const propagator = new W3CTraceContextPropagator();
  return {
    request(r) {
      const end = clock();
      const caller = propagator.extract(api.ROOT_CONTEXT, r.headers, api.defaultTextMapGetter);
      const span = tracer.startSpan(
        `${r.method} ${r.route}`,
        {
          kind: api.SpanKind.SERVER,
          startTime: end - r.elapsedMs,
          attributes: {
            'http.request.method': r.method,
            'http.route': r.route,
            'http.response.status_code': r.status,
            'assay.request_id': r.requestId,
          },
        },
        caller,
      );
      if (r.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(end);
    },
    batch({ size, commitMs }) {
      const end = clock();
      tracer
        .startSpan(
          'commit_batch',
          {
            kind: api.SpanKind.CLIENT,
            startTime: end - commitMs,
            attributes: { 'db.system.name': 'postgresql', 'db.operation.batch.size': size },
          },
          api.ROOT_CONTEXT,
        )
        .end(end);
    },
    stop: () => provider.shutdown().catch(() => undefined),
  };
}
