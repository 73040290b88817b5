import { EXIT } from '../../contract/error.js'
import type { PipelineHealth } from '../../contract/types.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { command } from '../command.js'
import { needed, texts, usage } from '../options.js'

type Stage = PipelineHealth['stages'][string]

/** From best to worst. */
const HEALTHS = ['healthy', 'degraded', 'unavailable'] as const
const CIRCUITS = ['closed', 'half_open', 'open'] as const
const STAGE = new RegExp(`^(.+)=(${HEALTHS.join('|')})(?::(${CIRCUITS.join('|')}))?$`)

export default command({
  examples: {
    'foreproof health write --stage market_data=healthy --stage forecast=healthy --out pipeline_health.json':
      'All is well',
    'foreproof health write --stage forecast=unavailable:open --out pipeline_health.json':
      'Readers get 503',
  },
  options: {
    stage: {
      ...texts(
        `NAME=HEALTH or NAME=HEALTH:CIRCUIT, once for each stage: ${HEALTHS.join(', ')}; ${CIRCUITS.join(', ')}`,
      ),
      demandOption: true,
    },
    out: needed('File to write'),
  },
  run: ({ stage, out }) => {
    const stages = stage.map(parseStage)
    const names = new Set(stages.map(([name]) => name))
    if (names.size < stages.length) throw usage('--stage names one stage twice')
    const worst = Math.max(...stages.map(([, { health }]) => HEALTHS.indexOf(health as 'healthy')))
    const report: PipelineHealth = {
      overall_health: HEALTHS[worst] ?? 'unavailable',
      stages: Object.fromEntries(stages),
    }
    writeFileAtomic(out, `${JSON.stringify(report, null, 2)}\n`)
    return EXIT.holds
  },
})

function parseStage(text: string): [string, Stage] {
  const [, name, health, circuit = 'closed'] = STAGE.exec(text) ?? []
  if (name === undefined) {
    throw usage(
      `--stage ${text}: not NAME=HEALTH or NAME=HEALTH:CIRCUIT`,
      `HEALTH is one of ${HEALTHS.join(', ')}; CIRCUIT one of ${CIRCUITS.join(', ')}, closed unless given.`,
    )
  }
  return [name, { health, circuit_state: circuit } as Stage]
}
