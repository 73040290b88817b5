import { EXIT } from '../../contract/error.js'
import { readConfig } from '../../service/config.js'
import { describeConfig } from '../../service/describe-config.js'
import { jsonLogger } from '../../service/log.js'
import { type Running, startService } from '../../service/run.js'
import { SECRETS, SETTINGS, type Setting } from '../../service/settings.js'
import type { Command, Context } from '../command.js'

interface Arguments {
  readonly check: boolean
  readonly demo: boolean
  readonly [flag: string]: unknown
}

const command: Command<Arguments> = {
  positionals: '',
  describe: 'Serve a forecast history over HTTP, read only, to callers with an API key',
  examples: [
    ['foreproof serve --history history.sqlite', `Serve; keys come from ${SECRETS.keys}`],
    ['foreproof serve --check', 'Print the effective configuration and exit'],
    ['foreproof serve --demo', 'Serve made forecasts with a key for this run'],
  ],
  options: (yargs) => {
    let options = yargs
      .option('check', {
        type: 'boolean',
        default: false,
        describe: 'Print the effective configuration (no secrets) and exit',
      })
      .option('demo', {
        type: 'boolean',
        default: false,
        describe: 'Serve the made history of the demo with a one-time key',
      })
      .option('api-keys-file', {
        type: 'string',
        describe: `File of accepted keys, one per line [${SECRETS.keysFile}]`,
      })
    for (const { flag, describe, variable, otherwise } of Object.values<Setting>(SETTINGS)) {
      const fallback = otherwise === '' ? '' : `, ${otherwise}`
      options = options.option(flag, {
        type: 'string',
        requiresArg: true,
        describe: `${describe} [${variable}${fallback}]`,
      })
    }
    return options as never
  },
  run: async (args, context) => {
    const config = readConfig(context.env, args)
    if (args.check) {
      context.stdout.write(describeConfig(config))
      return EXIT.holds
    }
    const logger = jsonLogger(context.stderr, () => new Date().toISOString())
    return await serveUntilStopped(await startService(config, logger), context)
  },
}

/** Serves until a signal asks to stop; a second one ends the process at once. */
async function serveUntilStopped(running: Running, { stderr }: Context) {
  const logger = jsonLogger(stderr, () => new Date().toISOString())
  const { address, port } = running.address
  logger.log('info', 'listening', 'the service takes requests', { address, port })
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  logger.log('info', 'stopping', 'readiness fails from now on', { signal })
  for (const again of ['SIGTERM', 'SIGINT'] as const) process.once(again, () => process.exit(3))
  await running.stop()
  logger.log('info', 'stopped', 'every accepted request was answered')
  return EXIT.holds
}

export default command
