import { join } from 'node:path'
import { instantOf } from '../contract/instant.js'
import { objectIn } from '../contract/is-object.js'
import { readIfRegular } from '../files/regular.js'
import type { AttemptMark, RowMark } from '../store/types.js'
import { continuationPages, RECORD_FILE } from './layout.js'

/**
 * The version of what foreproof writes into a site; one of an older version is rebuilt from nothing.
 * Version 1 had `next_url` from the root of the host.
 */
export const SITE_FORMAT = 2

/** A row by its key, with the origin as the history shows it. */
export interface RecordedKey {
  readonly origin_at: string
  readonly horizon_hours: number
  readonly model_name: string
}

/** A sealed log at its newest checkpoint. */
export interface LogMark {
  readonly origin: string
  readonly size: number
  /** In hex. */
  readonly root: string
  /** How many checkpoints and stamps it has. */
  readonly checkpoints: number
  readonly stamps: number
  /** SHA-256 of the newest checkpoint where it is signed: it may get more signatures. */
  readonly note?: string
}

/** `build.json`: what a build has done, so that the next one need not look again. */
export interface BuildRecord {
  readonly format: number
  /** Counts the builds of one site. */
  readonly sequence: number
  readonly built_at: string
  readonly base_url: string | null
  readonly page_size: number
  readonly stale_after_seconds: number
  readonly forecasts: number
  /** Continuation pages; the first page of the history is not counted. */
  readonly pages: number
  /** Pages from 1 on that will never change. */
  readonly sealed_pages: number
  /** Newest row of the last sealed page. */
  readonly sealed_through: RecordedKey | null
  readonly newest: RecordedKey | null
  /** The row that was written last when the history was read; null where that shows nothing. */
  readonly mark: RowMark | null
  /** The recorded attempts that are published; null (or absent, in older builds) where none are. */
  readonly attempts?: AttemptMark | null
  /** The sealed log that is published; absent where none is. */
  readonly log?: LogMark
  /** Where no page is written again under its name: what the names of this build's pages end in. */
  readonly generation?: number
  /** Files that only older heads lead to; they stay for readers who came by one of those. */
  readonly superseded?: readonly Superseded[]
  /** True while a build in place is at work: only pages 1 to `sealed_pages` are sure to be whole. */
  readonly building?: boolean
  /** Every file that this build wrote or removed, against the build before. */
  readonly changed: readonly string[]
}

/** What a record says whose pages cannot be kept. */
export const NOTHING_SEALED = { sealed_pages: 0, sealed_through: null, building: true } as const

/** A file of an earlier build, and since when a newer one is in its place. */
export interface Superseded {
  readonly path: string
  readonly since: string
}

/** It names the files of one build. */
const MAX_BYTES = 256 * 1_048_576

/** The record of a folder, or undefined where there is none that can be built upon. */
export function readRecord(folder: string): BuildRecord | undefined {
  const bytes = readIfRegular(join(folder, RECORD_FILE), MAX_BYTES)
  return bytes && parseRecord(bytes)
}

/** The record in a file; undefined for what is none, or cannot be built upon. */
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
    value.every((entry) => isSitePath(entry?.path) && instantOf(entry?.since) !== undefined)
  )
}

/** Whether the counts are those of one site: a record where they are not is not our work. */
function countsAgree({ forecasts, page_size, pages, sealed_pages }: BuildRecord): boolean {
  return page_size > 0 && pages === continuationPages(forecasts, page_size) && sealed_pages <= pages
}

/** Files that a record names are removed and linked: none of them may lie outside the site. */
export function isSitePath(path: unknown): boolean {
  const segment = /^(?!\.{1,2}$)[\w.-]+$/
  return typeof path === 'string' && path.split('/').every((part) => segment.test(part))
}
