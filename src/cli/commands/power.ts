import { join } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { canonicalize } from '../../document/canonical.js'
import { refuseExistingFolder, writeNewFolder } from '../../files/new-folder.js'
import type { PowerFigures } from '../../lint/power/figures.js'
import { mergeShards } from '../../lint/power/merge.js'
import { shardOf } from '../../lint/power/shard.js'
import { printReport } from '../../output/print.js'
import { loadFile } from '../../protocol/load.js'
import { figureSvg } from '../../report/html/charts/figure.js'
import { powerFigure } from '../../report/power/chart.js'
import { powerPage } from '../../report/power/page.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { FORMAT, figure, listOf, positive, text } from '../options.js'
import { type PowerRun, runPower } from '../power-run.js'
import { powerSummary } from '../power-text.js'
import { textsOf } from '../wording.js'

const options = {
  format: FORMAT,
  plan: text('The plan that is to be registered, or - for standard input'),
  protocol: text('The frozen protocol'),
  outcomes: text('A vintage; of it the closes before the window are used'),
  history: text(
    'A history with past forecasts of the candidates, to estimate how far their errors go with those of the comparator',
  ),
  simulate: figure(
    'Check by so many simulated evaluations: power, and what equal forecasters find',
  ),
  shard: text('Simulate a part: 3/8; auto/8 or auto where a batch system numbers the run'),
  merge: listOf('Put the files of all shards together'),
  seed: figure('Seed of every random draw; a whole number, 1 by default'),
  out: text('Folder to write with page, chart, table and figures; it must not exist'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  positionals: '',
  examples: [
    [
      'foreproof power --plan plan.json --protocol protocols/1.json --outcomes vintages/coinbase --out power',
      'Writes power/power.html with the chart, .svg, .csv and .json',
    ],
    [
      'parallel foreproof power --plan plan.json --protocol protocols/1.json --outcomes vintages/coinbase --simulate 1000 --shard {}/8 --out shards/{} ::: $(seq 8)',
      'A simulation in eight parts',
    ],
    ['foreproof power --merge shards/*/power.json --out power', 'The same bits as one run'],
  ],
  options,
  run: async (args, context) => {
    const { out, format } = args
    if (out !== undefined) refuseExistingFolder(out)
    const { findings, source, figures } = await figuresOf(args, context)
    if (figures !== undefined && out !== undefined) write(out, figures)
    const body = figures && [
      powerSummary(figures),
      ...(out ? [`Page: ${join(out, FILES.page)}`] : []),
    ]
    return await printReport(context, format, {
      findings,
      figures: { ...(figures ?? { power_version: 1 }), folder: figures && out ? out : null },
      headline: figures ? figures.plan.name : 'not reckoned; nothing was written',
      source,
      ...(body && { body: body.join('\n\n') }),
    })
  },
})

const FILES = {
  page: 'power.html',
  chart: 'power.svg',
  table: 'power.csv',
  figures: 'power.json',
} as const

async function figuresOf(args: Arguments, context: Context): Promise<PowerRun> {
  const { plan, protocol, outcomes, history, merge, simulate, shard } = args
  if (merge !== undefined) {
    refuseBesideMerge(args)
    return merged(merge)
  }
  const missing = Object.entries({ plan, protocol, outcomes }).find(([, given]) => !given)
  if (missing !== undefined || !plan || !protocol || !outcomes) {
    throw new ForeproofError('usage', `--${missing?.[0]} is missing`, {
      help: 'Give --plan, --protocol and --outcomes, or --merge with the files of shards.',
    })
  }
  if (shard !== undefined && simulate === undefined) {
    throw new ForeproofError('usage', '--shard without --simulate', {
      help: 'A shard is a part of a simulation: say of how many evaluations in all.',
    })
  }
  const { seed = 1 } = args
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new ForeproofError('usage', '--seed: a whole number from 0 up is needed')
  }
  return await runPower(
    {
      plan,
      protocol,
      outcomes,
      history,
      seed,
      simulate: simulate === undefined ? undefined : positive('--simulate', simulate),
      shard: shard === undefined ? undefined : shardOf(shard, context.env),
    },
    context,
  )
}

function refuseBesideMerge(args: Arguments): void {
  const beside = (
    ['plan', 'protocol', 'outcomes', 'history', 'simulate', 'shard', 'seed'] as const
  ).find((name) => args[name] !== undefined)
  if (beside === undefined && args.merge?.length !== 0) return
  const says = beside === undefined ? '--merge names no file' : `--merge and --${beside} together`
  throw new ForeproofError('usage', says, {
    help: 'Merging takes all it needs from the files of the shards.',
  })
}

function merged(files: readonly string[]): PowerRun {
  const documents = files.map((path) => loadFile(path))
  const source = textsOf(documents)
  const unreadable = documents.flatMap((each) => (each.ok ? [] : each.findings))
  if (unreadable.length > 0) return { findings: unreadable, source }
  return { ...mergeShards(documents.filter((each) => each.ok)), source }
}

function write(out: string, figures: PowerFigures): void {
  const chart = powerFigure(figures)
  writeNewFolder(out, {
    [FILES.page]: powerPage(figures),
    [FILES.chart]: figureSvg(chart),
    [FILES.table]: chart.csv,
    [FILES.figures]: `${canonicalize(figures)}\n`,
  })
}
