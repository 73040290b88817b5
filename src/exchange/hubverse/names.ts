import { formatUtc, type Instant, instantOf } from '../../contract/instant.js'
import { sha256Hex } from '../../document/digest.js'

/** Every part of a time, of which the later ones may be left out; or a date alone, which is its midnight. */
const ROUND = /^(\d{4})_(\d\d)_(\d\d)_(\d\d)(?:_(\d\d)(?:_(\d\d)(?:_(\d{6}))?)?)?$/
const DATE = /^\d{4}-\d\d-\d\d$/

/**
 * An origin as the id of a round: `2026_01_31_12` is noon UTC. Hubs allow letters, digits and underscores;
 * minutes, seconds and microseconds follow where they are not 0.
 */
export function roundIdOf(origin: Instant): string {
  const [date = '', time = ''] = formatUtc(origin).replace('Z', '').split('T')
  const [clock = '', fraction = ''] = time.split('.')
  const [hour = '', minute = '', second = ''] = clock.split(':')
  const rest = [minute, second, fraction.padEnd(6, '0')]
  while (rest.length > 0 && Number(rest.at(-1)) === 0) rest.pop()
  return [...date.split('-'), hour, ...rest].join('_')
}

/** The Saturday that ends the week of an origin, in UTC: `2026-01-31`. Weeks begin on Sunday. */
export function saturdayOf(origin: Instant): string {
  const date = new Date(Math.floor(origin / 1000))
  date.setUTCDate(date.getUTCDate() + 6 - date.getUTCDay())
  return date.toISOString().slice(0, 10)
}

/** The origin of a round; undefined where its id is no time, or one that the calendar does not have. */
export function originOfRound(id: string): Instant | undefined {
  if (DATE.test(id)) return instantOf(`${id}T00:00:00Z`)
  const parts = ROUND.exec(id)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute = '00', second = '00', fraction = '0'] = parts
  return instantOf(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`)
}

/** A model as hubs name it: `team-model`, in letters, digits and underscores. */
export interface HubModel {
  readonly team: string
  readonly model: string
  /** `team-model`, the name of its folder. */
  readonly id: string
}

export const HUB_MODEL = /^(\w+)-(\w+)$/

/** The team of a model whose name does not have one. */
const TEAM = 'foreproof'

/** Beyond it, files could not have their names. */
const LONGEST = 100
const DIGEST_LENGTH = 8

/**
 * What a hub calls a model: the name itself where it is `team-model`; otherwise the team is `foreproof`, and an
 * underscore replaces what a hub does not allow. A name that is too long, or would be that of another
 * model, is cut and has some digits of its SHA-256.
 * @param isTaken - whether another model has this id.
 */
export function hubModelOf(name: string, isTaken: (id: string) => boolean = () => false): HubModel {
  const [, team = TEAM, own] = HUB_MODEL.exec(name) ?? []
  const model = own ?? (name.replace(/\W/g, '_') || '_')
  const plain = { team, model, id: `${team}-${model}` }
  if (plain.id.length <= LONGEST && !isTaken(plain.id)) return plain
  const cut = name.replace(/\W/g, '_').slice(0, LONGEST - TEAM.length - DIGEST_LENGTH - 2)
  for (let turn = 0; ; turn++) {
    const digest = sha256Hex(name + '+'.repeat(turn))
    const short = `${cut}_${digest.slice(0, DIGEST_LENGTH)}`
    const id = `${TEAM}-${short}`
    if (!isTaken(id)) return { team: TEAM, model: short, id }
  }
}
