import { EXIT, ForeproofError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { openHistory } from '../../history/store/open.js'
import { describeConfig, type Flags, readServiceConfig } from '../../service/config/config.js'
import { SECRETS, SETTINGS, type Setting } from '../../service/config/settings.js'
import { NO_PIPELINE } from '../../service/health/health.js'
import { type Tried, tryParts } from '../../service/try-parts.js'
import { command } from '../command.js'
import { flag, text, unlessNo } from '../options.js'
import { serveUntilStopped } from '../serving.js'

const settings = Object.values<Setting>(SETTINGS).map(({ flag, describe, variable, otherwise }) => {
  const fallback = otherwise === '' ? '' : `, ${otherwise}`
  return [flag, text(`${describe} [${variable}${fallback}]`)] as const
})

export default command({
  positionals: '',
  examples: [
    ['foreproof serve --history history.sqlite', `Serve; keys come from ${SECRETS.keys}`],
    ['foreproof serve --check --connect', 'Try all that the service needs, and exit'],
    ['foreproof serve --demo', 'Serve synthetic forecasts with a key for this run'],
  ],
  options: {
    check: flag(
      'Print the effective configuration (no secrets), try what is on this machine, and exit',
    ),
    connect: flag('With --check, also try PostgreSQL and Redis'),
    demo: flag('Serve the synthetic history of the demo with a one-time key'),
    pipeline: unlessNo(
      'Read the report of a pipeline; --no-pipeline, as --health-state none: there is none',
    ),
    'api-keys-file': text(`File of accepted keys, one per line [${SECRETS.plainKeysFile}]`),
    ...Object.fromEntries(settings),
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
function flagsOf(args: Flags & { readonly pipeline: boolean }): Flags {
  if (args.pipeline) return args
  const flag = SETTINGS.healthPath.flag
  if (args[flag] === undefined) return { ...args, [flag]: NO_PIPELINE }
  throw new ForeproofError('usage', `--${flag} and --no-pipeline are given together`)
}

function lineOf({ part, said, fault }: Tried): string {
  return `${part.padEnd(13)}  ${fault === undefined ? '' : 'FAULT: '}${printable(said)}\n`
}
