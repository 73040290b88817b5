import { availableParallelism } from 'node:os'
import type { Argv } from 'yargs'
import { ForeproofError } from '../../contract/error.js'
import type { EvaluateOptions } from '../../evaluation/evaluate.js'
import type { Context } from '../command.js'
import { interruptible } from '../interrupt.js'
import { withProgress } from '../progress.js'

/** Adds `--workers`, which changes how fast a result comes and nothing else. */
export function withWorkers<A>(yargs: Argv<A>): Argv<A & { workers: number | undefined }> {
  return yargs.option('workers', {
    type: 'number',
    describe: 'Worker threads (by default one per processor); the result is the same',
  })
}

/** Most threads that are of any use. */
const MOST_WORKERS = 256

interface Threads {
  readonly workers: number | undefined
}

/**
 * Threads and progress on a terminal, for work that writes nothing: a signal ends the process as it
 * stands, even where it waits in the middle of a reading of what others wrote.
 * @returns what `work` returns.
 */
export async function withThreads<T>(
  { workers }: Threads,
  context: Context,
  work: (options: EvaluateOptions) => Promise<T>,
): Promise<T> {
  const count = workers ?? availableParallelism()
  if (!Number.isInteger(count) || count < 1 || count > MOST_WORKERS) {
    throw new ForeproofError('usage', `--workers ${workers}: not a number of threads`, {
      help: `Give a whole number from 1 to ${MOST_WORKERS}.`,
    })
  }
  return await withProgress(context, (show) =>
    work({
      workers: count,
      onProgress: (phase, completed, total) => {
        const share = total === 0 ? 100 : Math.floor((completed / total) * 100)
        show(`${phase} ${share} % of ${total}`)
      },
    }),
  )
}

/** The same, with an end on Ctrl-C that leaves nothing behind. */
export async function watched<T>(
  threads: Threads,
  context: Context,
  work: (options: EvaluateOptions) => Promise<T>,
): Promise<T> {
  return await interruptible('The result was not written.', (signal) =>
    withThreads(threads, context, (options) => work({ ...options, signal })),
  )
}
