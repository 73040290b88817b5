import { EXIT, type ExitCode, ForeproofError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import {
  describeConfig,
  type Flags,
  readServiceConfig,
  type ServiceConfig,
} from '../../service/config/config.js'
import { SECRETS, SETTINGS, type Setting } from '../../service/config/settings.js'
import { NO_PIPELINE } from '../../service/health/health.js'
import { jsonLogger, type Logger } from '../../service/log.js'
import { type RunningService, startService } from '../../service/start.js'
import { type Tried, tryParts } from '../../service/try-parts.js'
import { assertHourly, openHistory } from '../../store/open.js'
import { command } from '../command.js'
import { flag, text, unlessNo, usage } from '../options.js'

const settings = Object.values<Setting>(SETTINGS).map(
  ({ flag, describe, variable, default: fallback }) => {
    const shown = fallback === '' ? '' : `, ${fallback}`
    return [flag, text(`${describe} [${variable}${shown}]`)] as const
  },
)

export default command({
  examples: {
    'foreproof serve --history history.sqlite': `Serve; keys come from ${SECRETS.keys}`,
    'foreproof serve --check --connect': 'Try all that the service needs, and exit',
    'foreproof serve --demo': 'Serve synthetic forecasts with a key for this run',
  },
  options: {
    check: flag('Print the configuration without secrets, check what is on this machine, and exit'),
    connect: flag('With --check: also connect to PostgreSQL and Redis'),
    demo: flag('Serve the synthetic history of the demo with a one-time key'),
    pipeline: unlessNo(
      'Read the health report of a pipeline; --no-pipeline (--health-state none) if there is none',
    ),
    ...Object.fromEntries(settings),
  },
  run: async (args, context) => {
    const { stdout, stderr, env } = context
    // Import and all code that reads tables: no other service needs them.
    const demos = args.demo ? await import('../demo/serve.js') : undefined
    const demo = await demos?.prepareServedDemo(env, context.now())
    try {
      const config = readServiceConfig(demo?.env ?? env, activeFlags(args))
      if (args.check) {
        // Reject a bad URL before anything is printed.
        await openHistory(config.settings.historyPath).close()
        stdout.write(describeConfig(config))
        const tried = await tryParts(config.settings, args.connect)
        stdout.write(`\n${tried.map(formatTried).join('')}`)
        const fault = tried.find((each) => each.fault !== undefined)?.fault
        if (fault !== undefined) throw fault
        return EXIT.holds
      }
      await assertHourly(config.settings.historyPath, 'serve')
      return await serveUntilStopped(config, stderr, (url) => {
        if (demos === undefined || demo === undefined) return
        const { staleAfterSeconds } = config.settings
        stdout.write(demos.servedDemoWords(demo, url, staleAfterSeconds, context.now()))
      })
    } finally {
      demo?.remove()
    }
  },
})

/** @throws {ForeproofError} `usage` for a report together with `--no-pipeline`. */
function activeFlags(args: Flags & { readonly pipeline: boolean }): Flags {
  if (args.pipeline) return args
  const flag = SETTINGS.healthPath.flag
  if (args[flag] === undefined) return { ...args, [flag]: NO_PIPELINE }
  throw usage(`--${flag} cannot be used with --no-pipeline`, 'Leave one of the two out.')
}

function formatTried({ part, text, fault }: Tried): string {
  return `${part.padEnd(13)}  ${fault === undefined ? '' : 'FAULT: '}${printable(text)}\n`
}

/** A terminal and npm both pass on Ctrl-C: two signals within this time count as one. */
const ONE_WISH_MS = 1000
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Serves until a stop signal; a second one ends the process at once.
 * @param listening - called with the address.
 * @throws {ForeproofError} if it cannot listen.
 */
async function serveUntilStopped(
  config: ServiceConfig,
  stderr: NodeJS.WritableStream,
  listening: (url: string) => void,
): Promise<ExitCode> {
  const logger = jsonLogger(stderr, () => new Date().toISOString())
  for (const [variable, says] of config.unknown) {
    logger.log('warn', 'unknown-variable', says, { variable })
  }
  let service: RunningService | undefined
  process.on('SIGHUP', () => {
    if (service !== undefined) reload(service, config, logger)
  })
  // Install this before others can know that it runs, so that no signal is missed.
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    for (const each of STOP_SIGNALS) process.on(each, resolve)
  })
  const { settings, keys, fingerprintSecret } = config
  service = await startService({ ...settings, keys, fingerprintSecret, logger })
  const { address, port } = service.address
  listening(service.url)
  logger.log('info', 'listening', 'the service takes requests', { address, port })
  const signal = await asked
  logger.log('info', 'stopping', 'readiness fails from now on', { signal })
  setTimeout(leaveSignalsToTheSystem, ONE_WISH_MS).unref()
  const ended = await service.close()
  logger.log('info', 'stopped', 'every accepted request was answered')
  if (!ended) {
    leaveSignalsToTheSystem()
    process.kill(process.pid, signal)
  }
  return EXIT.holds
}

/** Without our listener a signal ends the process, even while a thread hangs in a system call. */
function leaveSignalsToTheSystem(): void {
  for (const each of STOP_SIGNALS) process.removeAllListeners(each)
}

/** If keys cannot be read, the previous ones stay valid, so that a mistake does not lock every caller out. */
function reload(service: RunningService, config: ServiceConfig, logger: Logger): void {
  try {
    const keys = config.readKeysAgain?.()
    service.reload(keys)
    const { keysFile } = config.settings
    const plain = keys === undefined ? `keys stay those of ${SECRETS.keys}` : 'keys were read again'
    const of = keysFile === '' ? plain : 'the keys file was looked at'
    const count = keysFile === '' ? { keys: (keys ?? config.keys).length } : {}
    logger.log('info', 'reloaded', `the audit log was opened again; ${of}`, count)
  } catch (error) {
    if (!(error instanceof ForeproofError)) throw error
    service.reload()
    const { message, help } = error
    logger.log('error', 'reload-failed', `keys stay as they were: ${message}`, { help })
  }
}
