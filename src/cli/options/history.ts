import type { Argv } from 'yargs'
import type { Terminal } from '../command.js'

const VARIABLE = 'BTC_FORECAST_HISTORY_DB'
const DEFAULT = '.state/forecast_history.sqlite'

/** Adds `--history`, the same wherever a history is read or written. */
export function withHistory<A>(yargs: Argv<A>): Argv<A & { history: string | undefined }> {
  return yargs.option('history', {
    type: 'string',
    describe: `Forecast history (${VARIABLE}, else ${DEFAULT})`,
  })
}

/** The history a command works on: the option, the variable, or where producers keep it. */
export function historyPath(given: string | undefined, env: Terminal['env']): string {
  return given ?? (env[VARIABLE] || DEFAULT)
}
