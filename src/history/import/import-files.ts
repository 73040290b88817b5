import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { ForeproofError, fileError } from '../../contract/error.js'
import { breathe, stoppedError } from '../../files/breathe.js'
import { refuseEndless } from '../../files/input.js'
import { type HistoryImport, openImport } from './import.js'
import type { HistoryImportOptions, HistoryImportResult } from './import-types.js'
import type { Piece } from '../../table/piece.js'
import { createSplitter } from '../../table/split.js'

const CHUNK_BYTES = 1024 * 1024

const NOTHING: Piece = { bytes: Buffer.alloc(0), line: 1, column: 1, pointer: '' }

export interface HistoryImportFilesOptions extends HistoryImportOptions {
  /** What `-` among the files stands for. */
  readonly stdin?: NodeJS.ReadableStream | undefined
  /** Ends the import between two mebibytes, as a fault would. */
  readonly signal?: AbortSignal | undefined
  /** Told of the rows put so far, and of those committed: about once per mebibyte read, and when a fault ends it. */
  readonly onProgress?: ((rows: number, committed: number) => void) | undefined
}

/**
 * Imports files of NDJSON, of a JSON array, or of one API body, all in one go (see `HistoryImportOptions`
 * for what that means when a value is rejected). Streams: memory does not grow with the files.
 * @throws {ForeproofError} when a file cannot be read or the history not be written; nothing of a
 * batch that was not whole is kept.
 */
export async function importFiles(
  path: string,
  files: readonly string[],
  options: HistoryImportFilesOptions,
): Promise<HistoryImportResult> {
  // Before anything is created: a mistyped name should leave nothing behind.
  for (const file of files) if (file !== '-') refuseEndless(file)
  const run = await openImport(path, options)
  try {
    for (const file of files) await importFile(run, file, options)
    return await run.finish()
  } catch (cause) {
    options.onProgress?.(run.rows, run.committed)
    await run.abort()
    throw cause
  }
}

async function importFile(
  run: HistoryImport,
  file: string,
  options: HistoryImportFilesOptions,
): Promise<void> {
  const name = file === '-' ? '<stdin>' : file
  const splitter = createSplitter(name)
  let empty = true
  const take = async (pieces: readonly Piece[]) => {
    for (const piece of pieces) await run.addText(piece, name)
    empty &&= pieces.length === 0
    options.onProgress?.(run.rows, run.committed)
    await breathe(options.signal)
  }
  for await (const chunk of chunksOf(file, options)) {
    await take(splitter.push(chunk))
    // A file that is no text at all would give a finding for each of its "lines".
    if (run.unreadable) return
  }
  await take(splitter.end())
  // An empty array is an answer; an empty file is more likely something that went wrong before.
  if (empty && !splitter.sawArray) await run.addText(NOTHING, name)
}

/** A stop is heard while nothing comes, too. */
async function* chunksOf(file: string, { stdin, signal }: HistoryImportFilesOptions) {
  const stream = file === '-' ? stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  if (stream === undefined) throw new ForeproofError('usage', 'standard input is not available')
  if (signal !== undefined) addAbortSignal(signal, stream as Readable)
  try {
    for await (const chunk of stream) {
      yield typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    }
  } catch (cause) {
    if (signal?.aborted) throw stoppedError()
    throw fileError(cause, file)
  }
}
