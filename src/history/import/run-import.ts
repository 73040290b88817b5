import { type HistoryImport, openImport } from './import.js'
import type { HistoryImportOptions, HistoryImportResult, ImportProgress } from './import-types.js'

/**
 * Checks every value (a forecast resource, an attempt, or an API body) and puts it into a history, which
 * is made where there is none: all of them or, when one is rejected, nothing. The first write of a
 * key wins; a later, different one is a conflict, counted and told.
 * @throws {ForeproofError} when the history cannot be written.
 */
export async function importResources(
  path: string,
  values: Iterable<unknown>,
  options: HistoryImportOptions,
): Promise<HistoryImportResult> {
  return await runImport(path, options, async (run) => {
    for (const value of values) await run.add(value)
  })
}

/**
 * Imports what `work` adds, and ends the import. A fault undoes what is not committed, once the progress is told.
 * @throws {ForeproofError} when the history cannot be written; whatever `work` throws.
 */
export async function runImport(
  path: string,
  options: HistoryImportOptions & ImportProgress,
  work: (run: HistoryImport) => Promise<void>,
): Promise<HistoryImportResult> {
  const run = await openImport(path, options)
  try {
    await work(run)
    return await run.finish()
  } catch (cause) {
    options.onProgress?.(run.rows, run.committed)
    await run.abort()
    throw cause
  }
}
