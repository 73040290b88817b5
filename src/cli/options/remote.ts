import type { Argv } from 'yargs'
import { ForeproofError } from '../../contract/error.js'
import type { Variant } from '../../remote/deployment.js'
import type { Terminal } from '../command.js'

export interface RemoteArguments {
  'key-env': string | undefined
  variant: Variant | undefined
}

/** Adds what is asked about other people's deployments. */
export function withRemote<A>(yargs: Argv<A>): Argv<A & RemoteArguments> {
  return yargs
    .option('key-env', { type: 'string', describe: 'Variable that holds the API key' })
    .option('variant', {
      type: 'string',
      choices: ['static', 'dynamic'] as const,
      describe: 'Kind of deployment (recognised by default)',
    })
}

/** The API key in the variable of that name; the key itself is never an argument. */
export function keyFrom(name: string | undefined, env: Terminal['env']): string | undefined {
  if (name === undefined) return undefined
  const key = env[name]?.trim()
  if (key === undefined || key === '') {
    throw new ForeproofError('usage', `--key-env ${name}: the variable is not set`, {
      help: `Put the API key into ${name}; keys are never given on the command line.`,
    })
  }
  // Whatever else a header would not carry as it stands.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ForeproofError('usage', `--key-env ${name}: the value cannot be an API key`, {
      help: 'A key is one word of visible ASCII characters.',
    })
  }
  return key
}
