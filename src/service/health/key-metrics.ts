import { Counter, Gauge, type Registry } from 'prom-client'
import type { AcceptedKey, Caller } from '../keys/keys.js'

/** Figures of the keys; a label is the name of a key of the keys file, of which there are a thousand at most. */
export class KeyMetrics {
  readonly broken: Gauge
  readonly #failures: Counter
  readonly #requests: Counter<'key'>
  readonly #refused: Counter<'key'>
  readonly #expiry: Gauge<'key'>
  #accepted: () => readonly AcceptedKey[] = () => []
  #names: ReadonlySet<string> = new Set()

  constructor(registry: Registry) {
    const registers = [registry]
    const accepted = () => this.#accepted().length
    new Gauge({
      name: 'forecast_api_keys',
      help: 'Keys that are accepted now.',
      registers,
      collect() {
        this.set(accepted())
      },
    })
    this.broken = new Gauge({
      name: 'forecast_api_keys_file_broken',
      help: 'Whether the keys file is missing or at fault, so that former keys are in force: 1 or 0.',
      registers,
    })
    this.#failures = new Counter({
      name: 'forecast_api_authentication_failures_total',
      help: 'Requests without an accepted key, answered 401 or, beyond the limit of their address, 429.',
      registers,
    })
    const labelNames = ['key'] as const
    this.#requests = new Counter({
      name: 'forecast_api_key_requests_total',
      help: 'Requests with a key of the keys file, by its name.',
      labelNames,
      registers,
    })
    this.#refused = new Counter({
      name: 'forecast_api_key_limited_total',
      help: 'Requests beyond the limit of their key, by its name.',
      labelNames,
      registers,
    })
    this.#expiry = new Gauge({
      name: 'forecast_api_key_expiry_timestamp_seconds',
      help: 'When a key of the keys file expires, Unix time, by its name.',
      labelNames,
      registers,
    })
  }

  /** Has the accepted keys counted whenever they are asked for. */
  count(accepted: () => readonly AcceptedKey[]): void {
    this.#accepted = accepted
  }

  /** These named keys are in force now; figures of others are forgotten. */
  name(keys: readonly AcceptedKey[]): void {
    const names = new Set(keys.flatMap(({ name }) => name ?? []))
    for (const key of this.#names) {
      if (names.has(key)) continue
      this.#requests.remove({ key })
      this.#refused.remove({ key })
    }
    this.#names = names
    this.#expiry.reset()
    for (const { name, expiresAt } of keys) {
      if (name === undefined) continue
      // A counter that begins with its first request hides it from `increase`.
      this.#requests.inc({ key: name }, 0)
      this.#refused.inc({ key: name }, 0)
      if (expiresAt !== undefined) this.#expiry.set({ key: name }, expiresAt / 1000)
    }
  }

  /** Counts an answered request. */
  observe(status: number, { accepted, key }: Caller): void {
    if (!accepted) {
      if (status === 401 || status === 429) this.#failures.inc()
      return
    }
    const name = key?.name
    // A request may be answered after its key was removed.
    if (name === undefined || !this.#names.has(name)) return
    this.#requests.inc({ key: name })
    if (status === 429) this.#refused.inc({ key: name })
  }
}
