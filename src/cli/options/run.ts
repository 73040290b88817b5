import { availableParallelism } from 'node:os'
import type { Argv } from 'yargs'
import { ForeproofError } from '../../contract/error.js'
import type { EvaluateOptions, Phase } from '../../evaluation/evaluate.js'
import type { Context } from '../command.js'
import { createProgress } from '../progress.js'

export interface RunArguments {
  readonly workers: number | undefined
}

/** Adds `--workers`, which changes how fast a result comes and nothing else. */
export function withWorkers<A>(yargs: Argv<A>): Argv<A & RunArguments> {
  return yargs.option('workers', {
    type: 'number',
    describe: 'Worker threads (by default one per processor); the result is the same',
  }) as Argv<A & RunArguments>
}

const DOING: Readonly<Record<Phase, string>> = {
  pairing: 'pairing',
  bootstrap: 'bootstrap',
}

/** Most threads that are of any use. */
const MOST_WORKERS = 256

/**
 * Threads, progress on a terminal, and an end on Ctrl-C that leaves nothing behind.
 * @returns what `work` returns.
 */
export async function watched<T>(
  { workers }: RunArguments,
  context: Context,
  work: (options: EvaluateOptions) => Promise<T>,
): Promise<T> {
  const count = workers ?? availableParallelism()
  if (!Number.isInteger(count) || count < 1 || count > MOST_WORKERS) {
    throw new ForeproofError('usage', `--workers ${workers}: not a number of threads`, {
      help: `Give a whole number from 1 to ${MOST_WORKERS}.`,
    })
  }
  const progress = createProgress(context)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    return await work({
      workers: count,
      signal: stop.signal,
      onProgress: (phase, completed, total) => {
        const share = total === 0 ? 100 : Math.floor((completed / total) * 100)
        progress.show(`${DOING[phase]} ${share} % of ${total}`)
      },
    })
  } finally {
    progress.end()
    process.removeListener('SIGINT', onSignal)
    process.removeListener('SIGTERM', onSignal)
  }
}
