import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, type ExitCode, fileError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { breathe } from '../../files/breathe.js'
import { makeFolderSync } from '../../files/make-folder.js'
import { requireStore } from '../../history/store/open.js'
import { readAnchors } from '../../time/rfc3161/anchors.js'
import { type Context, command } from '../command.js'
import { createAuthority } from '../demo/authority.js'
import { type ServedAuthority, serveAuthority } from '../demo/authority-server.js'
import { DEMO_AUTHORITY, demoSteps } from '../demo/steps.js'
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
  await requireStore(out)
  freshDemoFolder(out)
  say(`The report, once this has run: ${join(out, 'evaluation', 'report.html')}`)
  const { seed } = await writeSyntheticData(join(out, 'data'))
  say(`All data here are synthetic (seed "${seed}"): no market ever traded at these prices.`)
  copyProtocols(join(out, 'protocols'))
  const authority = await pinAuthority(out, context)
  say('The time-stamp authority is made anew for each run, and answers on this machine alone: no')
  say('network is needed, its stamps differ from run to run, and they prove nothing to others.')
  try {
    for (const { says, argv } of demoSteps(out, authority.url)) {
      say()
      say(`# ${says}`)
      say(`$ foreproof ${argv.join(' ')}`)
      await breathe(signal)
      const code = await context.dispatch(argv)
      if (code !== EXIT.holds) return code
    }
  } finally {
    authority.close()
  }
  say()
  say('Look at:')
  say(`  ${join(out, 'evaluation', 'report.html')}   the verdict, with its reasons`)
  say(`  ${join(out, 'attempts.ndjson')}   every attempt and its status`)
  // A browser reads no data from plain files.
  say('  http://127.0.0.1:8000/   the published forecasts, as long as this runs:')
  say(`    cd "${join(out, 'site')}" && python3 -m http.server --bind 127.0.0.1 8000`)
  return EXIT.holds
}

/** Makes the authority, and puts its anchor where a person puts one whom they trust: the plan names it. */
async function pinAuthority(out: string, { now }: Context): Promise<ServedAuthority> {
  const made = await createAuthority({ name: DEMO_AUTHORITY, now })
  const folder = join(out, 'protocols', 'anchors')
  makeFolderSync(folder)
  writeFileAtomic(join(folder, `${DEMO_AUTHORITY}.pem`), made.anchorPem)
  const authorities = readAnchors(folder).map(({ name, sha256 }) => ({
    name,
    anchor_sha256: sha256,
  }))
  const plan = { ...JSON.parse(demoPlan()), time: { at_least: 1, authorities } }
  writeFileAtomic(join(out, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`)
  return serveAuthority(made)
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
