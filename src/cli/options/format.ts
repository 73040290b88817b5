import type { Argv } from 'yargs'
import { FORMATS, type Format } from '../../output/print.js'

/** Adds `--format`, the same for every checking command. */
export function withFormat<A>(yargs: Argv<A>): Argv<A & { format: Format }> {
  return yargs.option('format', {
    choices: FORMATS,
    default: 'text' as Format,
    describe: 'text for a person; the others for a machine',
  })
}
