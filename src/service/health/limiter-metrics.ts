import { Counter, Gauge, type Registry } from 'prom-client'

/** Figures of a limiter that is shared. */
export class LimiterMetrics {
  readonly shared: Gauge
  readonly fallbacks: Counter

  constructor(registry: Registry) {
    const registers = [registry]
    this.shared = new Gauge({
      name: 'forecast_api_limiter_shared',
      help: 'Whether requests are counted in the shared limiter: 1, or 0 where this process counts alone.',
      registers,
    })
    this.fallbacks = new Counter({
      name: 'forecast_api_limiter_fallbacks_total',
      help: 'Requests that this process counted alone, because the shared limiter could not be used.',
      registers,
    })
  }
}
