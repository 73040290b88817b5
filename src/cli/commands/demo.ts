import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, type ExitCode, fileError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { breathe } from '../../files/breathe.js'
import { requireStore } from '../../history/store/open.js'
import { type Context, command } from '../command.js'
import { demoSteps } from '../demo/steps.js'
import {
  demoPlan,
  freshDemoFolder,
  shippedProtocols,
  writeSyntheticData,
} from '../demo/synthetic-data.js'
import { interruptible } from '../interrupt.js'

async function run(
  { out }: { out: string },
  context: Context,
  signal: AbortSignal,
): Promise<ExitCode> {
  const say = (text = '') => context.stdout.write(`${printable(text)}\n`)
  await requireStore()
  freshDemoFolder(out)
  say(`The report, once this has run: ${join(out, 'evaluation', 'report.html')}`)
  const { seed } = await writeSyntheticData(join(out, 'data'))
  say(`All data here are synthetic (seed "${seed}"): no market ever traded at these prices.`)
  copyProtocols(join(out, 'protocols'))
  writeFileAtomic(join(out, 'plan.json'), demoPlan())
  for (const { says, argv } of demoSteps(out)) {
    say()
    say(`# ${says}`)
    say(`$ foreproof ${argv.join(' ')}`)
    await breathe(signal)
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

function copyProtocols(folder: string): void {
  try {
    cpSync(shippedProtocols(), folder, { recursive: true })
  } catch (cause) {
    throw fileError(cause, folder)
  }
}

export default command({
  positionals: '',
  describe: 'Run every step on synthetic data, from a frozen protocol to an audited verdict',
  examples: [['foreproof demo', 'Write everything into demo-out/']],
  options: (yargs) =>
    yargs.option('out', {
      type: 'string',
      default: 'demo-out',
      describe: 'Folder to write; one of an earlier demo is replaced',
    }),
  run: (args, context) =>
    interruptible(`${args.out} is not whole; the next demo replaces it.`, (signal) =>
      run(args, context, signal),
    ),
})
