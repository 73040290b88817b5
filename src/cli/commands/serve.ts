import { EXIT, ForeproofError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { openHistory } from '../../history/store/open.js'
import { describeConfig, type Flags, readServiceConfig } from '../../service/config/config.js'
import { SECRETS, SETTINGS, type Setting } from '../../service/config/settings.js'
import { NO_PIPELINE } from '../../service/health/health.js'
import { type Tried, tryParts } from '../../service/try-parts.js'
import { command } from '../command.js'
import { serveUntilStopped } from '../serving.js'

interface Arguments {
  readonly check: boolean
  readonly connect: boolean
  readonly demo: boolean
  readonly pipeline: boolean
  readonly [flag: string]: unknown
}

export default command<Arguments>({
  positionals: '',
  describe: 'Serve a forecast history over HTTP, read only, to callers with an API key',
  examples: [
    ['foreproof serve --history history.sqlite', `Serve; keys come from ${SECRETS.keys}`],
    ['foreproof serve --check --connect', 'Try all that the service needs, and exit'],
    ['foreproof serve --demo', 'Serve synthetic forecasts with a key for this run'],
  ],
  options: (yargs) => {
    let options = yargs
      .option('check', {
        type: 'boolean',
        default: false,
        describe:
          'Print the effective configuration (no secrets), try what is on this machine, and exit',
      })
      .option('connect', {
        type: 'boolean',
        default: false,
        describe: 'With --check, also try PostgreSQL and Redis',
      })
      .option('demo', {
        type: 'boolean',
        default: false,
        describe: 'Serve the synthetic history of the demo with a one-time key',
      })
      .option('pipeline', {
        type: 'boolean',
        default: true,
        describe:
          'Read the report of a pipeline; --no-pipeline, as --health-state none: there is none',
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
    const { stdout, stderr, env } = context
    // Import and all that reads tables: no other service needs them.
    const demos = args.demo ? await import('../demo/serve.js') : undefined
    const demo = await demos?.prepareServedDemo(env, context.now())
    try {
      const config = readServiceConfig(demo?.env ?? env, flagsOf(args))
      if (args.check) {
        // A bad URL is refused before anything is printed.
        await openHistory(config.settings.historyPath).close()
        stdout.write(describeConfig(config))
        const tried = await tryParts(config.settings, args.connect)
        stdout.write(`\n${tried.map(lineOf).join('')}`)
        const fault = tried.find((each) => each.fault !== undefined)?.fault
        if (fault !== undefined) throw fault
        return EXIT.holds
      }
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

/** @throws {ForeproofError} `usage` where there is a report, and there is none. */
function flagsOf(args: Arguments): Flags {
  if (args.pipeline) return args
  const flag = SETTINGS.healthPath.flag
  if (args[flag] === undefined) return { ...args, [flag]: NO_PIPELINE }
  throw new ForeproofError('usage', `--${flag} and --no-pipeline are given together`)
}

function lineOf({ part, said, fault }: Tried): string {
  return `${part.padEnd(13)}  ${fault === undefined ? '' : 'FAULT: '}${printable(said)}\n`
}
