import type { Instant } from '../contract/instant.js'

/** The formats `outcomes import` reads; `closes` is the normal form that a vintage itself holds. */
export type OutcomeFormat =
  | 'closes'
  | 'kraken'
  | 'coinbase'
  | 'bitstamp'
  | 'binance'
  | 'cryptodatadownload'
  | 'ccxt'

/** Whether the time of a bar in a file is that of its open or of its close. */
export type Stamp = 'open' | 'close'

/** Consecutive hours without a close, both ends included, in UTC. */
export interface VintageGap {
  /** Close instant of the first missing bar: `2024-01-01T01:00:00Z`. */
  readonly from: string
  /** Close instant of the last missing bar. */
  readonly to: string
  readonly hours: number
}

/** Where the closes came from and how the file was read. */
export interface VintageInput {
  /** The name of the file, without its folder. */
  readonly file: string
  readonly bytes: number
  /** Lowercase hex SHA-256 of the file as it was read. */
  readonly sha256: string
  readonly format: OutcomeFormat
  readonly stamp: Stamp
  /** Rows that repeated a bar with the same price. */
  readonly duplicates: number
}

/** What manifest.json beside closes.csv says; the same input and options give the same bytes. */
export interface VintageManifest {
  readonly schema_version: 1
  readonly vintage_id: string
  /** The exchange or collector the closes are from: `coinbase`. */
  readonly source: string
  readonly pair: 'BTC/USD'
  readonly bar_interval_hours: 1
  /** Close instants of the first and the last bar, in UTC. */
  readonly first: string
  readonly last: string
  /** Closes in the series; `count` plus the hours of all gaps fill first..last. */
  readonly count: number
  readonly gaps: readonly VintageGap[]
  /** Lowercase hex SHA-256 of closes.csv, the digest of the vintage. */
  readonly sha256: string
  readonly input: VintageInput | null
}

/** Hourly closes with the proof of what they are. */
export interface Vintage {
  readonly manifest: VintageManifest
  /** Close instants of the first and the last bar. */
  readonly first: Instant
  readonly last: Instant
  /** The close in USD of the bar that closes exactly then; undefined where there is none. */
  closeAt(instant: Instant): number | undefined
}
