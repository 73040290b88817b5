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

/**
 * What a hub calls a model: the name itself where it is `team-model`; otherwise the team is `foreproof`, and an
 * underscore stands for whatever a hub does not allow, so that two names may become one.
 * @returns undefined for a name that is too long.
 */
export function hubModelOf(name: string): HubModel | undefined {
  const [, own, short] = HUB_MODEL.exec(name) ?? []
  const team = own ?? TEAM
  const model = short ?? (name.replace(/\W/g, '_') || '_')
  const id = `${team}-${model}`
  return id.length > LONGEST ? undefined : { team, model, id }
}
