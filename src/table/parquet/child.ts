import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, ForeproofError } from '../../contract/error.js'
import type { Finding } from '../../contract/findings/finding.js'
import { stoppedError } from '../../files/waiting.js'
import { type SourceRow, TableFault, type TableSource } from '../table.js'
import { damaged, decodeParquet, inFile, type ParquetPart, parquetFault } from './decode.js'

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))
/** Limit of the JavaScript heap; `worker-memory.ts` has the limit of all memory. */
const HEAP_MIB = 512
/** Timeout of one row group, so that the whole command ends within a minute. */
const SECONDS = 45

/** The answer of the process to a request for the next part. */
export type ParquetAnswer =
  | { readonly part: ParquetPart }
  | { readonly end: true }
  | { readonly finding: Finding }
  | { readonly error: { readonly code: ErrorCode; message: string; help: string | undefined } }

/**
 * Runs `decodeParquet` in its own process, because unpacking a malicious file may exhaust memory, which kills a
 * process with all its threads, or never end. It decodes ahead while rows are used.
 */
async function* decodeInProcess(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ParquetPart> {
  const child = fork(PROGRAM, [file], {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = waitForEnd(child, file)
  try {
    let asked = requestWorker(child, ended, signal)
    for (;;) {
      const answer = await asked
      if ('end' in answer) return
      if ('finding' in answer) throw new TableFault(answer.finding)
      if ('error' in answer) {
        const { code, message, help } = answer.error
        throw new ForeproofError(code, message, { file, help })
      }
      asked = requestWorker(child, ended, signal)
      // It may reject before it is awaited.
      asked.catch(() => {})
      yield answer.part
    }
  } catch (error) {
    throw inFile(error, file)
  } finally {
    child.kill('SIGKILL')
    if (!ended.aborted) await once(ended, 'abort')
  }
}

/**
 * Aborted with a reason when the process ends, which happens only if its limits or the system stop it. A signal,
 * because a promise in repeated races would keep every answer.
 */
function waitForEnd(child: ChildProcess, file: string): AbortSignal {
  const ended = new AbortController()
  child.once('exit', (_code, signal) =>
    ended.abort(signal === null ? damaged('its reader ended') : parquetFault('memory')),
  )
  child.once('error', (cause) =>
    ended.abort(new ForeproofError('unavailable', 'no process can be started', { file, cause })),
  )
  return ended.signal
}

async function requestWorker(
  child: ChildProcess,
  ended: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<ParquetAnswer> {
  const late = AbortSignal.timeout(SECONDS * 1000)
  const stop = AbortSignal.any(signal === undefined ? [ended, late] : [ended, late, signal])
  try {
    const answered = once(child, 'message', { signal: stop })
    // One that cannot be asked any more has ended, which is heard of.
    child.send('next', () => {})
    const [answer] = await answered
    return answer as ParquetAnswer
  } catch (cause) {
    if (ended.aborted) throw ended.reason
    if (signal?.aborted) throw stoppedError()
    throw late.aborted ? parquetFault('time') : cause
  }
}

// Node cannot load TypeScript in a child process, so unit tests read the file in the calling process.
const BUILT = !import.meta.url.endsWith('.ts')

/** A Parquet file as a table. */
export async function readParquetTable(file: string, signal?: AbortSignal): Promise<TableSource> {
  const parts = BUILT ? decodeInProcess(file, signal) : decodeParquet(file)
  const { value: first } = await parts.next()
  const head = first !== undefined && 'columns' in first ? first : { columns: [] }
  const close = async () => void (await parts.return(undefined))
  return { file, format: 'parquet', ...head, batches: receiveBatches(parts), close }
}

async function* receiveBatches(parts: AsyncGenerator<ParquetPart>): AsyncGenerator<SourceRow[]> {
  let before = 0
  for await (const part of parts) {
    if ('columns' in part) continue
    const { rows, cells } = part
    yield Array.from({ length: rows }, (_, row) => ({
      cells: cells.map((column) => column[row] ?? null),
      line: before + row + 1,
    }))
    before += rows
  }
}
