import type { SeriesProtocol } from '../../contract/types.js'
import { asciiJson } from '../../forecast/ascii.js'
import type { TruthManifest } from '../../truth/releases-vintage.js'
import { HUB, type HubFormat, REFERENCE_COLUMN } from './columns.js'
import type { HubModel } from './names.js'

/** The address of the hubverse schemas. */
const schemaUrl = (part: string) =>
  `https://raw.githubusercontent.com/hubverse-org/schemas/main/v6.0.0/${part}-schema.json`

/** @param parts - by file name. */
function configFiles(parts: Readonly<Record<string, object>>) {
  const all = { ...parts, 'model-metadata-schema': METADATA_SCHEMA }
  const files = Object.entries(all).map(([name, value]) => {
    return [`${HUB.config}/${name}.json`, `${JSON.stringify(value, null, 2)}\n`]
  })
  return { 'README.md': README, ...Object.fromEntries(files) }
}

/** Hubs name time zones only by places; this one has UTC all year. */
const UTC_PLACE = 'Atlantic/Reykjavik'

const isUtc = (zone: string) => /^(?:Etc\/)?(?:UTC|GMT)$/i.test(zone)

/** The tasks of a hub. */
interface HubTasks {
  readonly protocol: SeriesProtocol
  /** In chronological order. */
  readonly references: readonly string[]
  readonly targets: readonly string[]
  readonly horizons: readonly number[]
  readonly levels: readonly string[]
  /** Whether some forecasts have a point but no quantile of level 0.5. */
  readonly hasMedians: boolean
  /** The manifest of the target data, if any. */
  readonly truth: TruthManifest | undefined
}

/** The configuration files of a hub, by path, according to schemas 6.0.0. */
export function hubConfig(tasks: HubTasks, format: HubFormat): Readonly<Record<string, string>> {
  return configFiles({
    admin: {
      schema_version: schemaUrl('admin'),
      name: tasks.protocol.protocol_version,
      maintainer: 'Not stated',
      contact: { name: 'Not stated' },
      repository: { host: 'github', owner: 'not-stated', name: 'not-stated' },
      file_format: [format],
      timezone: isUtc(tasks.protocol.zone) ? UTC_PLACE : tasks.protocol.zone,
    },
    tasks: hubTasks(tasks),
    ...(tasks.truth && { 'target-data': targetData(tasks.truth) }),
  })
}

/** The tasks of a hub whose rounds all have the same form. */
function hubTasks({ protocol, references, ...tasks }: HubTasks) {
  const { minimum, integer } = protocol.forecast
  const value = {
    type: integer ? 'integer' : 'double',
    ...(minimum !== undefined && { minimum: Number(minimum) }),
  }
  const median = { output_type_id: { required: null }, value, is_required: false }
  const levels = { required: tasks.levels.map(Number) }
  const units = [...new Set(protocol.series.map(({ unit }) => unit))].join(', ')
  const asked = {
    [REFERENCE_COLUMN]: references,
    location: protocol.series.map(({ id }) => id),
    horizon: tasks.horizons,
    target_end_date: tasks.targets,
  }
  const target = {
    target_id: 'value',
    target_name: protocol.protocol_version.slice(0, 100),
    target_units: units.slice(0, 100),
    target_type: integer ? 'discrete' : 'continuous',
    target_keys: null,
    is_step_ahead: false,
  }
  const task = {
    task_ids: Object.fromEntries(
      Object.entries(asked).map(([name, optional]) => [name, { required: null, optional }]),
    ),
    output_type: {
      ...(tasks.hasMedians && { median }),
      ...(tasks.levels.length > 0 && {
        quantile: { output_type_id: levels, value, is_required: true },
      }),
    },
    target_metadata: [target],
  }
  return {
    schema_version: schemaUrl('tasks'),
    rounds: [
      {
        round_id_from_variable: true,
        round_id: REFERENCE_COLUMN,
        model_tasks: [task],
        submissions_due: { start: references.at(0), end: references.at(-1) },
      },
    ],
    output_type_id_datatype: 'double',
    derived_task_ids: ['target_end_date'],
  }
}

const targetData = ({ first_as_of }: TruthManifest) => ({
  schema_version: schemaUrl('target-data'),
  observable_unit: ['target_end_date', 'location'],
  date_col: 'target_end_date',
  versioned: false,
  'time-series': { versioned: first_as_of !== null },
  'oracle-output': { versioned: false, has_output_type_ids: false },
})

const text = (description: string, more: object = {}) => ({ description, type: 'string', ...more })
const NAME = { pattern: '^[A-Za-z0-9_]+$' }

const METADATA_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Metadata of a model',
  type: 'object',
  properties: {
    team_name: text('Who made the forecasts.'),
    team_abbr: text('The team in the names of files.', NAME),
    model_name: text('The model.'),
    model_abbr: text('The model in the names of files.', NAME),
    foreproof_model: text('The name in a forecast history, where it is not TEAM-MODEL.'),
  },
  required: ['team_name', 'team_abbr', 'model_name', 'model_abbr'],
  additionalProperties: true,
}

/** The metadata of a model, in YAML. @param name - as in a history. */
export function modelMetadata({ team, model, id }: HubModel, name: string): string {
  const members: readonly (readonly [string, string])[] = [
    ['team_name', team],
    ['team_abbr', team],
    ['model_name', name],
    ['model_abbr', model],
    ...(name === id ? [] : [['foreproof_model', name] as const]),
  ]
  // JSON in ASCII is valid YAML of any version.
  return members.map(([key, value]) => `${key}: ${asciiJson(value)}\n`).join('')
}

const OWN_NAME = /^foreproof_model: (".*")$/m

/** The name for a forecast history in a model's metadata; undefined if there is none. */
export function ownNameIn(metadata: string): string | undefined {
  const [, name] = OWN_NAME.exec(metadata) ?? []
  if (name === undefined) return undefined
  try {
    return JSON.parse(name) as string
  } catch {
    return undefined
  }
}

const README = `# Forecasts of some series

A modeling hub in the form of hubverse, written by foreproof.

- \`${HUB.output}/\`: for each model a folder, in it a file for each reference date. Dates are the last days of periods, by the
  clock of the time zone in \`${HUB.config}/admin.json\`; \`horizon\` counts periods.
- \`target-data/\`, where it is there: \`time-series.csv\` has every value, and the day on which it became public where that is known;
  \`oracle-output.csv\` has the ones that count.
`
