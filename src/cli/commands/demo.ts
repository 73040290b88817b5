import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, type ExitCode, fileError } from '../../contract/error.js'
import { type Context, command } from '../command.js'
import { runInTime, runTooLate } from '../demo/prospective.js'
import { type DemoRun, startDemo } from '../demo/run.js'
import { demoSteps } from '../demo/steps.js'
import { freshDemoFolder, shippedProtocols, writeSyntheticData } from '../demo/synthetic-data.js'
import { textOr } from '../options.js'
import { interruptible } from '../work.js'

async function run(
  { out }: { out: string },
  context: Context,
  signal: AbortSignal,
): Promise<ExitCode> {
  freshDemoFolder(out)
  const demo = await startDemo(context, signal)
  try {
    for (const part of [backtest, inTime, tooLate]) {
      const code = await part(demo, out)
      if (code !== EXIT.holds) return code
    }
  } finally {
    demo.close()
  }
  sayWhatToOpen(demo, out)
  return EXIT.holds
}

async function backtest(demo: DemoRun, out: string): Promise<ExitCode> {
  const { say } = demo
  say(`The report, once this has run: ${join(out, 'evaluation', 'report.html')}`)
  const { seed } = await writeSyntheticData(join(out, 'data'))
  say(`All data here are synthetic (seed "${seed}"): no market ever traded at these prices.`)
  copyProtocols(join(out, 'protocols'))
  demo.pin(out, 'plan')
  say('The time-stamp authority is made anew for each run, and answers on this machine alone: no')
  say('network is needed, its stamps differ from run to run, and they prove nothing to others.')
  say()
  say('1 of 3: a backtest. Its outcomes were known before it was registered, so nothing in it can')
  say('become eligible; but every step and every figure is shown.')
  return await demo.steps(demoSteps('BACKTEST', out, demo.authority))
}

async function inTime(demo: DemoRun, out: string): Promise<ExitCode> {
  demo.say()
  demo.say(
    '2 of 3: a prospective evaluation. Rules, registration and every forecast are stamped before',
  )
  demo.say(
    'their outcome. Four weeks pass in seconds: commands and authority go by a simulated clock.',
  )
  return await runInTime(demo, join(out, 'prospective'))
}

async function tooLate(demo: DemoRun, out: string): Promise<ExitCode> {
  demo.say()
  demo.say(
    '3 of 3: the same rules and the same forecasts. They say of themselves that they were made in',
  )
  demo.say(
    'time, but their history was sealed when the outcomes were known: nothing bears them out.',
  )
  return await runTooLate(demo, join(out, 'prospective-late'))
}

function sayWhatToOpen({ say }: DemoRun, out: string): void {
  const report = (folder: string) => join(out, folder, 'evaluation', 'report.html')
  say()
  say(
    'Eligible for human review means: by rules fixed before the outcomes were known, the model was',
  )
  say('better than every required comparator. People may look at it now; nothing else follows.')
  say()
  say('Look at:')
  say(`  ${report('prospective')}   eligible: every forecast was committed in time`)
  say(`  ${report('prospective-late')}   blocked: the same forecasts, committed too late`)
  say(`  ${report('')}   the backtest: figures of three models, none eligible`)
  say(`  ${join(out, 'attempts.ndjson')}   every attempt of the backtest and its status`)
  // A browser reads no data from plain files.
  say('  http://127.0.0.1:8000/   the published forecasts, as long as this runs:')
  say(`    cd "${join(out, 'site')}" && python3 -m http.server --bind 127.0.0.1 8000`)
}

function copyProtocols(folder: string): void {
  try {
    cpSync(shippedProtocols(), folder, { recursive: true })
  } catch (cause) {
    throw fileError(cause, folder)
  }
}

export default command({
  positionals: '',
  examples: [['foreproof demo', 'Write everything into demo-out/']],
  options: {
    out: textOr('demo-out', 'Folder to write; one of an earlier demo is replaced'),
  },
  run: (args, context) =>
    interruptible(`${args.out} is not whole; the next demo replaces it.`, (signal) =>
      run(args, context, signal),
    ),
})
