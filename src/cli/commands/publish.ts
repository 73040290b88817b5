import { existsSync } from 'node:fs'
import { EXIT, ForeproofError } from '../../contract/error.js'
import { LIMITS } from '../../contract/limits.js'
import { openHistory } from '../../history/reader.js'
import { readBaseUrl } from '../../site/base-url.js'
import { planPublish, publish } from '../../site/publish.js'
import { planWords, resultWords } from '../../site/words.js'
import type { Command } from '../command.js'

interface Arguments {
  readonly history: string
  readonly out: string
  readonly baseUrl: string | undefined
  readonly inPlace: boolean
  readonly staleAfter: number
  readonly check: boolean
  readonly dryRun: boolean
  readonly format: string
}

const command: Command<Arguments> = {
  positionals: '',
  describe: 'Build the static site of a history, or bring it up to date',
  examples: [
    ['foreproof publish --out site', 'The site of .state/forecast_history.sqlite'],
    ['foreproof publish --out site --base-url https://example.org/btc', 'With absolute next_url'],
    ['foreproof publish --out site --dry-run', 'What a build would do'],
    ['foreproof publish --out site --check', 'Whether the site is current and intact'],
  ],
  options: (yargs) =>
    yargs
      .option('history', {
        type: 'string',
        default: '.state/forecast_history.sqlite',
        describe: 'The forecast history; only read',
      })
      .option('out', {
        type: 'string',
        demandOption: true,
        describe: 'Where the site will be: a symbolic link, moved once when a build is whole',
      })
      .option('base-url', { type: 'string', describe: 'Makes next_url absolute' })
      .option('in-place', {
        type: 'boolean',
        default: false,
        describe: 'Build into a plain folder: for hosts that follow no links',
      })
      .option('stale-after', {
        type: 'number',
        default: LIMITS.staleAfterSeconds,
        describe: 'Seconds after which a forecast is stale',
      })
      .option('check', { type: 'boolean', default: false, describe: 'Build nothing, and tell' })
      .option('dry-run', { type: 'boolean', default: false, describe: 'Print the plan only' })
      .option('format', {
        choices: ['text', 'json'],
        default: 'text',
        describe: 'For a person or a machine',
      }) as never,
  run: async (args, context) => {
    if (!(args.staleAfter > 0)) {
      throw new ForeproofError('usage', '--stale-after takes a number of seconds above 0')
    }
    if (!existsSync(args.history)) {
      throw new ForeproofError('not-found', `${args.history}: no such file`, {
        file: args.history,
        help: 'Name the forecast history with --history.',
      })
    }
    const reader = openHistory(args.history)
    const options = {
      reader,
      out: args.out,
      baseUrl: readBaseUrl(args.baseUrl),
      inPlace: args.inPlace,
      staleAfterSeconds: args.staleAfter,
      now: context.now(),
    }
    const json = args.format === 'json'
    try {
      if (args.dryRun) {
        const plan = planPublish(options)
        context.stdout.write(json ? `${JSON.stringify(plan)}\n` : planWords(plan))
        return EXIT.holds
      }
      const { plan, record } = await publish(options)
      context.stdout.write(
        json ? `${JSON.stringify({ plan, record })}\n` : resultWords(args.out, plan, record),
      )
      return EXIT.holds
    } finally {
      reader.close()
    }
  },
}
export default command
