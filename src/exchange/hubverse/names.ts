import { sha256Hex } from '../../document/digest.js'

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
export function toHubModel(name: string, isTaken: (id: string) => boolean = () => false): HubModel {
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
