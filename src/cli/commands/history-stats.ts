import { EXIT } from '../../contract/error.js'
import { historyStats } from '../../history/stats.js'
import type { HistoryStatsResult } from '../../history/store/stats-types.js'
import type { Command } from '../command.js'
import { historyPath, withHistory } from '../options/history.js'

interface Arguments {
  readonly history: string | undefined
  readonly format: 'text' | 'json'
}

const command: Command<Arguments> = {
  positionals: '',
  describe: 'Count what a forecast history holds, by model and horizon',
  examples: [
    ['foreproof history stats --history h.sqlite', 'A table'],
    ['foreproof history stats --format json', 'The same for a machine'],
  ],
  options: (yargs) =>
    withHistory(yargs).option('format', {
      choices: ['text', 'json'] as const,
      default: 'text' as const,
      describe: 'text for a person, json for a machine',
    }),
  run: async ({ history: given, format }, { env, stdout }) => {
    const history = historyPath(given, env)
    const stats = await historyStats(history)
    stdout.write(
      format === 'json'
        ? `${JSON.stringify({ history, ...stats }, null, 2)}\n`
        : textOf(history, stats),
    )
    return EXIT.holds
  },
}
export default command

const number = (value: number) => value.toLocaleString('en')

function textOf(history: string, stats: HistoryStatsResult): string {
  const { attempts, hours_without_origin: gaps } = stats
  const facts: [string, string][] = [
    ['history', `${history} (${number(stats.bytes)} bytes, journal mode ${stats.journal_mode})`],
    ['forecasts', number(stats.forecasts)],
    ['attempts', `${number(attempts.failed)} failed, ${number(attempts.abstained)} abstained`],
    ['origins', originsOf(stats)],
    ...(gaps === null
      ? []
      : [['gaps', `${number(gaps)} hours without an origin`] as [string, string]]),
    ['runs', stats.runs === null ? 'not recorded' : number(stats.runs)],
    ['provenance', `recorded for ${number(stats.with_provenance)}`],
    ['kept whole', number(stats.kept_whole)],
    ['order index', stats.ordering_index ? 'yes' : 'no (see: foreproof history verify)'],
  ]
  const lines = facts.map(([name, value]) => `${name.padEnd(11)}  ${value}`)
  return `${[...lines, '', ...tableOf(stats)].join('\n').trimEnd()}\n`
}

function originsOf({
  origins,
  first_origin: first,
  last_origin: last,
}: HistoryStatsResult): string {
  return first === null ? '0' : `${number(origins)}, from ${first} to ${last}`
}

function tableOf({ models }: HistoryStatsResult): string[] {
  const horizons = [...new Set(models.flatMap((model) => Object.keys(model.horizons)))].sort(
    (a, b) => Number(a) - Number(b),
  )
  const rows = [
    ['model', ...horizons.map((horizon) => `${horizon} h`), 'failed', 'abstained'],
    ...models.map((model) => [
      model.model,
      ...horizons.map((horizon) => number(model.horizons[horizon] ?? 0)),
      number(model.failed),
      number(model.abstained),
    ]),
  ]
  if (models.length === 0) return []
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}
