import type { Finding } from '../../contract/findings/finding.js'
import { holds } from '../../contract/findings/finding.js'
import type { Attempt, ForecastResource } from '../../contract/types.js'
import { sqliteCode } from '../store/faults.js'
import { openStore } from '../store/store.js'
import type { Stored } from '../store/types.js'
import { type Accepted, accept, acceptUnread } from './accept.js'
import type {
  HistoryImport,
  HistoryImportCounts,
  HistoryImportOptions,
  HistoryImportReport,
} from './import-types.js'
import { moved, type Place, placerFor } from './placing.js'
import { createPutter, type Putter } from './put.js'
import { readValue } from './read-value.js'

const MAX_FINDINGS = 10_000

const NO_TEXT = new Set(['document-binary', 'encoding-utf16'])

type Counts = { -readonly [K in keyof HistoryImportCounts]: number }
const noCounts = (): Counts => ({ added: 0, unchanged: 0, conflicts: 0 })

/** Puts every value of `values` into a history in one go; see `HistoryImport`. */
export function importResources(
  path: string,
  values: Iterable<unknown>,
  options: HistoryImportOptions,
): HistoryImportReport {
  const run = openImport(path, options)
  try {
    for (const value of values) run.add(value)
    return run.finish()
  } catch (cause) {
    run.abort()
    throw cause
  }
}

/**
 * Begins an import into a history, which is created where there is none.
 * @throws {ForeproofError} when the file cannot be written or is of a layout that is only read.
 */
export function openImport(path: string, options: HistoryImportOptions): HistoryImport {
  const { now, batchRows, maxFindings = MAX_FINDINGS } = options
  const store = openStore(path)
  const findings: Finding[] = []
  const forecasts = noCounts()
  const attempts = noCounts()
  let committed = { forecasts: noCounts(), attempts: noCounts() }
  let withheld = 0
  let rejected = 0
  let rows = 0
  let uncommitted = 0
  let addedInBatch = 0
  let written = 0
  let unreadable = false
  let putter: Putter

  const report = (finding: Finding): void => {
    if (findings.length < maxFindings) findings.push(finding)
    else withheld++
  }
  const commit = (): void => {
    store.commit()
    committed = { forecasts: { ...forecasts }, attempts: { ...attempts } }
    written += addedInBatch
    addedInBatch = 0
    uncommitted = 0
  }
  const count = (counts: Counts, result: Stored, finding?: () => Finding): void => {
    rows++
    uncommitted++
    if (result.kind === 'conflict') {
      counts.conflicts++
      if (finding !== undefined) report(finding())
    } else {
      counts[result.kind]++
      if (result.kind === 'added') addedInBatch++
    }
    if (batchRows !== undefined && uncommitted >= batchRows) {
      commit()
      store.begin()
    }
  }
  const reject = (found: readonly Finding[]): void => {
    rejected++
    for (const finding of found) report(finding)
  }
  const put = (act: () => Stored, counts: Counts, place: Place, key: () => string): void => {
    if (rejected > 0) return
    let result: Stored
    try {
      result = act()
    } catch (cause) {
      if (!isConstraint(cause)) throw cause
      const args = { row: key(), detail: (cause as Error).message }
      reject([place({ code: 'import-constraint', severity: 'error', pointer: '', args })])
      return
    }
    count(counts, result, () => {
      const { differs, with: other } = result as Extract<Stored, { kind: 'conflict' }>
      const pointer = differs[0] ?? ''
      return place({
        code: 'import-conflict',
        severity: 'error',
        pointer,
        args: { row: key(), differs, other },
      })
    })
  }
  const takeValue = (value: unknown, accepted: Accepted, place: Place): void => {
    if (!holds(accepted.findings)) {
      reject(accepted.findings.map(place))
      return
    }
    for (const finding of accepted.findings) report(place(finding))
    const { forecasts: given, at, attempt } = accepted
    given.forEach((forecast, index) => {
      const inside: Place = (finding) => {
        const prefix = Array.isArray((value as { data?: unknown }).data) ? `${at}/${index}` : at
        return place({ ...finding, pointer: `${prefix}${finding.pointer ?? ''}` })
      }
      put(
        () => putter.forecast(forecast),
        forecasts,
        inside,
        () => forecastKey(forecast),
      )
    })
    if (attempt !== undefined) {
      put(
        () => putter.attempt(attempt),
        attempts,
        place,
        () => attemptKey(attempt),
      )
    }
  }
  try {
    store.begin()
    putter = createPutter(store, now)
  } catch (cause) {
    store.close()
    throw cause
  }
  return {
    get refused() {
      return rejected > 0
    },
    get unreadable() {
      return unreadable
    },
    get conflicts() {
      return forecasts.conflicts + attempts.conflicts
    },
    get rows() {
      return rows
    },
    add(value, source = {}) {
      takeValue(value, acceptUnread(value), (finding) => ({
        ...finding,
        ...(source.file !== undefined && { file: source.file }),
        ...(source.line !== undefined && { position: { line: source.line, column: 1 } }),
      }))
    },
    addText(piece, file) {
      const read = readValue(piece.bytes, file)
      if (read.ok) takeValue(read.value, accept(read.value), placerFor(piece, file))
      else {
        unreadable ||= read.findings.some(({ code }) => NO_TEXT.has(code))
        reject(read.findings.map((finding) => moved(finding, piece)))
      }
    },
    commit() {
      if (rejected > 0) return
      commit()
      store.begin()
    },
    note(key, text) {
      const sql = 'INSERT OR REPLACE INTO foreproof_meta (key, value) VALUES (?, ?)'
      store.db.prepare(sql).run(key, text)
    },
    noted(key) {
      const sql = 'SELECT value FROM foreproof_meta WHERE key = ?'
      return store.db.prepare<[string], string>(sql).pluck().get(key)
    },
    finish() {
      if (rejected > 0) store.rollback()
      else commit()
      store.close()
      return { findings, withheld, ...committed, rejected, written }
    },
    abort: () => store.close(),
  }
}

/** The database's own rules, which a producer may have made stricter than the format. */
function isConstraint(cause: unknown): boolean {
  return sqliteCode(cause)?.startsWith('SQLITE_CONSTRAINT') === true
}

function forecastKey({ origin_at, model, horizon_hours }: ForecastResource): string {
  return `${origin_at}, ${model.name}, ${horizon_hours} h`
}

function attemptKey({ origin_at, model_name, horizon_hours }: Attempt): string {
  return `${origin_at}, ${model_name}, ${horizon_hours} h`
}
