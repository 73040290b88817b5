import { EXIT, ForeproofError } from '../../contract/error.js'
import { requireStore } from '../../history/store/open.js'
import {
  describeConfig,
  readServiceConfig,
  type ServiceConfig,
} from '../../service/config/config.js'
import { SECRETS, SETTINGS, type Setting } from '../../service/config/settings.js'
import { jsonLogger, type Logger } from '../../service/log.js'
import { type RunningService, startService } from '../../service/start.js'
import { type Context, command } from '../command.js'
import { prepareServedDemo, servedDemoWords } from '../demo/serve.js'

interface Arguments {
  readonly check: boolean
  readonly demo: boolean
  readonly [flag: string]: unknown
}

export default command<Arguments>({
  positionals: '',
  describe: 'Serve a forecast history over HTTP, read only, to callers with an API key',
  examples: [
    ['foreproof serve --history history.sqlite', `Serve; keys come from ${SECRETS.keys}`],
    ['foreproof serve --check', 'Print the effective configuration and exit'],
    ['foreproof serve --demo', 'Serve synthetic forecasts with a key for this run'],
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
        describe: 'Serve the synthetic history of the demo with a one-time key',
      })
      .option('api-keys-file', {
        type: 'string',
        describe: `File of accepted keys, one per line [${SECRETS.plainKeysFile}]`,
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
    const { stdout, env } = context
    const demo = args.demo ? await prepareServedDemo(env, context.now()) : undefined
    try {
      const config = readServiceConfig(demo?.env ?? env, args)
      if (args.check) {
        await requireStore(config.settings.historyPath)
        stdout.write(describeConfig(config))
        return EXIT.holds
      }
      return await serveUntilStopped(config, context, ({ url }) => {
        if (demo === undefined) return
        const { staleAfterSeconds } = config.settings
        stdout.write(servedDemoWords(demo, url, staleAfterSeconds, context.now()))
      })
    } finally {
      demo?.remove()
    }
  },
})

/** A terminal and npm both hand on Ctrl-C: within so long it is one wish, not two. */
const ONE_WISH_MS = 1000
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Serves until a signal asks to stop; a second one ends the process at once. */
async function serveUntilStopped(
  config: ServiceConfig,
  { stderr }: Context,
  listening: (running: RunningService) => void,
) {
  const { settings, keys, fingerprintSecret } = config
  const logger = jsonLogger(stderr, () => new Date().toISOString())
  let running: RunningService | undefined
  process.on('SIGHUP', () => {
    if (running !== undefined) reload(running, config, logger)
  })
  // Before anybody can know that it runs: a signal must never find nobody listening.
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    for (const each of STOP_SIGNALS) process.on(each, resolve)
  })
  running = await startService({ ...settings, keys, fingerprintSecret, logger })
  const { address, port } = running.address
  listening(running)
  logger.log('info', 'listening', 'the service takes requests', { address, port })
  const signal = await asked
  logger.log('info', 'stopping', 'readiness fails from now on', { signal })
  setTimeout(leaveSignalsToTheSystem, ONE_WISH_MS).unref()
  const ended = await running.close()
  logger.log('info', 'stopped', 'every accepted request was answered')
  if (!ended) {
    leaveSignalsToTheSystem()
    process.kill(process.pid, signal)
  }
  return EXIT.holds
}

/** Without a listener of ours a signal ends the process, also while a thread of it hangs in a system call. */
function leaveSignalsToTheSystem(): void {
  for (const each of STOP_SIGNALS) process.removeAllListeners(each)
}

/** Keys that cannot be read leave the former ones in force: a slip must not lock every caller out. */
function reload(running: RunningService, config: ServiceConfig, logger: Logger): void {
  try {
    const keys = config.readKeysAgain?.()
    running.reload(keys)
    const { keysFile } = config.settings
    const plain = keys === undefined ? `keys stay those of ${SECRETS.keys}` : 'keys were read again'
    const of = keysFile === '' ? plain : 'the keys file was looked at'
    const count = keysFile === '' ? { keys: (keys ?? config.keys).length } : {}
    logger.log('info', 'reloaded', `the audit log was opened again; ${of}`, count)
  } catch (error) {
    if (!(error instanceof ForeproofError)) throw error
    running.reload()
    const { message, help } = error
    logger.log('error', 'reload-failed', `keys stay as they were: ${message}`, { help })
  }
}
