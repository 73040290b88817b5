import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, type ExitCode } from '../../contract/error.js'
import { writeFileAtomic } from '../../files/atomic.js'
import type { Command, Context } from '../command.js'
import {
  demoPlan,
  freshDemoFolder,
  makeDemoData,
  shippedProtocols,
} from '../demo/synthetic-data.js'

interface Arguments {
  readonly out: string
}

const PROTOCOL = 'btcusd-hourly-1.json'

interface Step {
  readonly says: string
  readonly argv: readonly string[]
}

function stepsIn(folder: string): Step[] {
  const at = (...parts: string[]) => join(folder, ...parts)
  const protocol = at('protocols', PROTOCOL)
  return [
    { says: 'Is the protocol what was frozen?', argv: ['verify', protocol] },
    {
      says: 'Forecasts, failures and abstentions into a history',
      argv: [
        'history',
        'import',
        at('data', 'forecasts.ndjson'),
        '--history',
        at('history.sqlite'),
      ],
    },
    {
      says: 'Hourly closes into a vintage',
      argv: [
        'outcomes',
        'import',
        at('data', 'closes.csv'),
        '--source',
        'made-exchange',
        '--out',
        at('vintage'),
      ],
    },
    {
      says: 'Every expected attempt ends in one of five statuses',
      argv: [
        'pair',
        '--protocol',
        protocol,
        '--history',
        at('history.sqlite'),
        '--outcomes',
        at('vintage'),
        '--out',
        at('attempts.ndjson'),
      ],
    },
    {
      says: 'The evaluation and every test in it, by name, before anything is scored',
      argv: [
        'register',
        at('plan.json'),
        '--protocol',
        protocol,
        '--outcomes',
        at('vintage'),
        '--out',
        at('registration.json'),
      ],
    },
    {
      says: 'Score it, once',
      argv: [
        'score',
        '--registration',
        at('registration.json'),
        '--protocol',
        protocol,
        '--history',
        at('history.sqlite'),
        '--outcomes',
        at('vintage'),
        '--out',
        at('evaluation'),
      ],
    },
    {
      says: 'Recompute it all from the inputs, as a sceptic would',
      argv: ['audit', at('evaluation')],
    },
    {
      says: 'Publish the history as a static site',
      argv: ['publish', '--history', at('history.sqlite'), '--out', at('site')],
    },
  ]
}

async function run(args: Arguments, context: Context): Promise<ExitCode> {
  const { out } = args
  const say = (text = '') => context.stdout.write(`${text}\n`)
  freshDemoFolder(out)
  say(`The report, once this has run: ${join(out, 'evaluation', 'report.html')}`)
  const { seed } = await makeDemoData(join(out, 'data'))
  say(`All data here are made (seed "${seed}"): no market ever traded at these prices.`)
  cpSync(shippedProtocols(), join(out, 'protocols'), { recursive: true })
  writeFileAtomic(join(out, 'plan.json'), demoPlan())
  for (const { says, argv } of stepsIn(out)) {
    say()
    say(`# ${says}`)
    say(`$ foreproof ${argv.join(' ')}`)
    const code = await context.dispatch(argv)
    if (code !== EXIT.holds) return code
  }
  say()
  say('Look at:')
  say(`  ${join(out, 'evaluation', 'report.html')}   the verdict, with its reasons`)
  say(`  ${join(out, 'attempts.ndjson')}   every attempt and its status`)
  say(
    `  ${join(out, 'site', 'index.html')}   the published forecasts (serve the folder to page through it)`,
  )
  return EXIT.holds
}

const command: Command<Arguments> = {
  positionals: '',
  describe: 'Run the whole way on made data, from a frozen protocol to an audited verdict',
  examples: [['foreproof demo', 'Write everything into demo-out/']],
  options: (yargs) =>
    yargs.option('out', {
      type: 'string',
      default: 'demo-out',
      describe: 'Folder to write; one of an earlier demo is replaced',
    }),
  run,
}

export default command
