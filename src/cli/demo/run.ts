import { join } from 'node:path'
import { Readable } from 'node:stream'
import { EXIT, type ExitCode } from '../../contract/error.js'
import { formatUtc, type Instant } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { breathe } from '../../files/breathe.js'
import { makeFolderSync } from '../../files/make-folder.js'
import { newNonce } from '../../time/obtain.js'
import { readAnchors } from '../../time/rfc3161/anchors.js'
import { timeStampQuery } from '../../time/rfc3161/structures.js'
import type { Context } from '../command.js'
import { createAuthority } from './authority.js'
import { serveAuthority } from './authority-server.js'
import { DEMO_AUTHORITY, type DemoStep } from './steps.js'
import { type DemoPlan, demoPlan } from './synthetic-data.js'

/** What the evaluations of a demo share: a clock, and an authority that stamps by it. */
export interface DemoRun {
  /** Address of the authority. */
  readonly authority: string
  readonly signal: AbortSignal
  say(text?: string): void
  /** Puts the authority's anchor where a person puts one whom they trust, and a plan that names it beside. */
  pin(folder: string, plan: DemoPlan): void
  /** Runs steps one after the other, until one does not hold; what they read from standard input. */
  steps(steps: readonly DemoStep[], input?: readonly string[]): Promise<ExitCode>
  /** What the authority answers at a simulated time, without being asked over the network. */
  stamp(body: Uint8Array, at: Instant): Promise<Uint8Array>
  close(): void
}

export async function startDemo(context: Context, signal: AbortSignal): Promise<DemoRun> {
  const say = (text = '') => context.stdout.write(`${printable(text)}\n`)
  let simulated: Instant | undefined
  const now = () => simulated ?? context.now()
  const made = await createAuthority({ name: DEMO_AUTHORITY, now })
  const { url, close } = await serveAuthority(made)
  return {
    ...{ authority: url, signal, say, close },
    pin: (folder, plan) => pin(folder, plan, made.anchorPem),
    steps: async (steps, input = []) => {
      for (const { says, argv, at } of steps) {
        simulated = at
        say()
        say(`# ${at === undefined ? '' : `${formatUtc(at)}, simulated: `}${says}`)
        say(`$ foreproof ${argv.join(' ')}`)
        await breathe(signal)
        const code = await context.dispatch(argv, { now, stdin: Readable.from(input) })
        if (code !== EXIT.holds) return code
      }
      return EXIT.holds
    },
    stamp: (body, at) => {
      simulated = at
      return made.reply(timeStampQuery(body, newNonce()))
    },
  }
}

function pin(out: string, plan: DemoPlan, anchorPem: string): void {
  const folder = join(out, 'protocols', 'anchors')
  makeFolderSync(folder)
  writeFileAtomic(join(folder, `${DEMO_AUTHORITY}.pem`), anchorPem)
  const authorities = readAnchors(folder).map(({ name, sha256 }) => ({
    name,
    anchor_sha256: sha256,
  }))
  const time = { at_least: 1, authorities }
  const text = JSON.stringify({ ...demoPlan(plan), time }, null, 2)
  writeFileAtomic(join(out, 'plan.json'), `${text}\n`)
}
