import { join } from 'node:path'
import { parseInstant } from '../contract/instant.js'
import { objectIn } from '../contract/is-object.js'
import { readIfRegular } from '../files/regular.js'
import type { AttemptMark, RowMark } from '../store/history-reader.js'
import { continuationPages, RECORD_FILE } from './layout.js'

/**
 * The version of the layout of a site; a site of an older version is rebuilt completely. Version 1 had `next_url` from
 * the root of the host.
 */
export const SITE_FORMAT = 2

/** A row by its key, with the origin as the history shows it. */
export interface RecordedKey {
  readonly origin_at: string
  readonly horizon_hours: number
  readonly model_name: string
}

/** The state of a sealed log at its newest checkpoint. */
export interface LogMark {
  readonly origin: string
  readonly size: number
  /** In hex. */
  readonly root: string
  /** How many checkpoints and stamps it has. */
  readonly checkpoints: number
  readonly stamps: number
  /** SHA-256 of the newest checkpoint if it is signed, because it may get more signatures. */
  readonly note?: string
}

/** `build.json`: what a build did, so that the next build need not read it all again. */
export interface BuildRecord {
  readonly format: number
  /** Counts the builds of one site. */
  readonly sequence: number
  readonly built_at: string
  readonly base_url: string | null
  readonly page_size: number
  readonly stale_after_seconds: number
  readonly forecasts: number
  /** Continuation pages, without the head. */
  readonly pages: number
  /** Pages from 1 on that never change. */
  readonly sealed_pages: number
  /** Newest row of the last sealed page. */
  readonly sealed_through: RecordedKey | null
  readonly newest: RecordedKey | null
  /** The last written row when the history was read; null if that shows nothing. */
  readonly mark: RowMark | null
  /** The published attempts; null (absent in older builds) if none are published. */
  readonly attempts?: AttemptMark | null
  /** The published sealed log; absent if none is published. */
  readonly log?: LogMark
  /** The last digits of the names of this build's pages, if no file is ever overwritten. */
  readonly generation?: number
  /** Files that only older heads lead to; they stay for readers of those heads. */
  readonly superseded?: readonly Superseded[]
  /** True while a build in place is running: only pages 1 to `sealed_pages` are sure to be complete. */
  readonly building?: boolean
  /** Every file that this build wrote or removed, compared with the previous build. */
  readonly changed: readonly string[]
}

/** The record of a site whose pages cannot be kept. */
export const NOTHING_SEALED = { sealed_pages: 0, sealed_through: null, building: true } as const

/** A file of an earlier build, and since when it is replaced. */
export interface Superseded {
  readonly path: string
  readonly since: string
}

/** The record names all changed files of a build, so it can be large. */
const MAX_BYTES = 256 * 1_048_576

/** The record of a folder, or undefined if no build can continue from it. */
export function readRecord(folder: string): BuildRecord | undefined {
  const bytes = readIfRegular(join(folder, RECORD_FILE), MAX_BYTES)
  return bytes && parseRecord(bytes)
}

/** Parses a record; undefined if it is invalid or no build can continue from it. */
export function parseRecord(bytes: Uint8Array): BuildRecord | undefined {
  const value = objectIn(Buffer.from(bytes).toString('utf8'))
  return value !== undefined && isRecord(value) ? (value as unknown as BuildRecord) : undefined
}

function isRecord(record: Readonly<Record<string, unknown>>): boolean {
  const counts = ['format', 'sequence', 'forecasts', 'pages', 'sealed_pages', 'page_size']
  return (
    counts.every((name) => Number.isSafeInteger(record[name]) && Number(record[name]) >= 0) &&
    Number(record.format) <= SITE_FORMAT &&
    countsAgree(record as unknown as BuildRecord) &&
    Array.isArray(record.changed) &&
    record.changed.every(isSitePath) &&
    (record.generation === undefined || Number.isSafeInteger(record.generation)) &&
    (record.superseded === undefined || areSuperseded(record.superseded))
  )
}

function areSuperseded(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((entry) => isSitePath(entry?.path) && parseInstant(entry?.since) !== undefined)
  )
}

/** Whether the counts are consistent; a record with other counts was not written by foreproof. */
function countsAgree({ forecasts, page_size, pages, sealed_pages }: BuildRecord): boolean {
  return page_size > 0 && pages === continuationPages(forecasts, page_size) && sealed_pages <= pages
}

/** Whether a path is inside the site: a build removes and links the files that a record names. */
export function isSitePath(path: unknown): boolean {
  const segment = /^(?!\.{1,2}$)[\w.-]+$/
  return typeof path === 'string' && path.split('/').every((part) => segment.test(part))
}
