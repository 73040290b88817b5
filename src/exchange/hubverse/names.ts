import { sha256Hex } from '../../document/digest.js'

/** A model's name in hubs: `team-model`, in letters, digits and underscores. */
export interface HubModel {
  readonly team: string
  readonly model: string
  /** `team-model`, also the name of its folder. */
  readonly id: string
}

export const HUB_MODEL = /^(\w+)-(\w+)$/

/** The team of models whose name has no team. */
const TEAM = 'foreproof'

/** With longer names, file names would be too long. */
const LONGEST = 100
const DIGEST_LENGTH = 8

/**
 * The name of a model in a hub: unchanged if it is `team-model`. Otherwise the team is `foreproof`, and underscores
 * replace characters that a hub does not allow. A name that is too long, or already used by another model, is cut and
 * gets some digits of its SHA-256.
 * @param isTaken - whether another model has this id.
 */
export function toHubModel(name: string, isTaken: (id: string) => boolean = () => false): HubModel {
  const [, team = TEAM, suffix] = HUB_MODEL.exec(name) ?? []
  const model = suffix ?? (name.replace(/\W/g, '_') || '_')
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
