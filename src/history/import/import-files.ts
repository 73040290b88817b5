import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { ForeproofError, fileError } from '../../contract/error.js'
import { flatRowAt } from './flat-batch.js'
import { openImport } from './import.js'
import type { HistoryImport, HistoryImportOptions, HistoryImportReport } from './import-types.js'
import { readInThreads, workersUseful } from './parallel.js'
import { beginsWithLine, createSplitter, type Piece } from './splitter.js'

const CHUNK_BYTES = 1024 * 1024
/** Below this, starting threads takes longer than they save. */
const THREADS_FROM_BYTES = 16 * CHUNK_BYTES

const NOTHING: Piece = { bytes: Buffer.alloc(0), line: 1, column: 1, pointer: '' }

export interface HistoryImportFilesOptions extends HistoryImportOptions {
  /** What `-` among the files stands for. */
  readonly stdin?: NodeJS.ReadableStream | undefined
  /** Threads that read large files; by default as many as the machine has use for. */
  readonly threads?: number | undefined
  /** Told of the rows put so far, about once per mebibyte read. */
  readonly onProgress?: ((rows: number) => void) | undefined
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
): Promise<HistoryImportReport> {
  // Before anything is created: a mistyped name should leave nothing behind.
  for (const file of files) if (file !== '-') refuseUnreadable(file)
  const run = openImport(path, options)
  try {
    for (const file of files) await importFile(run, file, options)
    return run.finish()
  } catch (cause) {
    run.abort()
    throw cause
  }
}

async function importFile(
  run: HistoryImport,
  file: string,
  options: HistoryImportFilesOptions,
): Promise<void> {
  const name = file === '-' ? '<stdin>' : file
  const threads = file === '-' ? 0 : (options.threads ?? threadsFor(file))
  if (threads > 0) {
    await importInThreads(run, file, options, threads)
    return
  }
  const splitter = createSplitter(name)
  let empty = true
  const take = (pieces: ReturnType<typeof splitter.push>) => {
    for (const piece of pieces) run.addText(piece, name)
    empty &&= pieces.length === 0
    options.onProgress?.(run.rows)
  }
  for await (const chunk of chunksOf(file, options.stdin)) {
    take(splitter.push(chunk))
    // A file that is no text at all would give a finding for each of its "lines".
    if (run.unreadable) return
  }
  take(splitter.end())
  // An empty array is an answer; an empty file is more likely something that went wrong before.
  if (empty && !splitter.sawArray) run.addText(NOTHING, name)
}

/** Large files of one value per line are read in threads of their own while this one writes. */
function threadsFor(file: string): number {
  if (statSync(file).size < THREADS_FROM_BYTES) return 0
  const beginning = Buffer.alloc(CHUNK_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    const read = readSync(descriptor, beginning, 0, beginning.length, 0)
    return beginsWithLine(beginning.subarray(0, read)) ? workersUseful() : 0
  } catch (cause) {
    throw fileError(cause, file)
  } finally {
    closeSync(descriptor)
  }
}

async function importInThreads(
  run: HistoryImport,
  file: string,
  options: HistoryImportFilesOptions,
  threads: number,
): Promise<void> {
  let before = 0
  for await (const batch of readInThreads(chunksOf(file, undefined), file, threads)) {
    const { bytes, line, start, end } = batch
    for (let index = 0; index < line.length; index++) {
      const row = flatRowAt(batch, index)
      if (row !== undefined && run.addFlat(row)) continue
      const text = Buffer.from(bytes.buffer, start[index], (end[index] ?? 0) - (start[index] ?? 0))
      run.addText(
        { bytes: text, line: before + 1 + (line[index] ?? 0), column: 1, pointer: '' },
        file,
      )
    }
    before += batch.lines
    options.onProgress?.(run.rows)
    if (run.unreadable) return
  }
}

async function* chunksOf(file: string, stdin: NodeJS.ReadableStream | undefined) {
  const stream = file === '-' ? stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  if (stream === undefined) throw new ForeproofError('usage', 'there is no standard input')
  try {
    for await (const chunk of stream) {
      yield typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    }
  } catch (cause) {
    throw fileError(cause, file)
  }
}

function refuseUnreadable(file: string): void {
  try {
    if (statSync(file).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (cause) {
    throw fileError(cause, file)
  }
}
