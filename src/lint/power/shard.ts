import { ForeproofError } from '../../contract/error.js'

/** A part of a simulation: every evaluation whose number leaves `index - 1` when divided by `of`. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly of: number
}

/** How many of the evaluations of a run, numbered from 0, are a shard's. */
export function evaluationsOf({ index, of }: Shard, all: number): number {
  return Math.max(0, Math.ceil((all - index + 1) / of))
}

type Environment = Readonly<Record<string, string | undefined>>

const HELP = 'Write it like 3/8, auto/8, or auto in a Slurm array.'

/**
 * The shard that is asked for: `3/8`, or `auto/8`, where the number comes from the environment of
 * GNU parallel (PARALLEL_SEQ), a Slurm array (SLURM_ARRAY_TASK_ID) or an Indexed Job of Kubernetes
 * (JOB_COMPLETION_INDEX). Slurm says how many there are as well, so `auto` is enough there.
 * @throws {ForeproofError} `usage` for what is no shard.
 */
export function shardOf(text: string, env: Environment): Shard {
  const [, which, many] = /^(\d+|auto)(?:\/(\d+))?$/.exec(text) ?? []
  if (which === undefined || (which !== 'auto' && many === undefined)) {
    throw new ForeproofError('usage', `--shard ${text}: not a shard`, { help: HELP })
  }
  const given = many === undefined ? undefined : Number(many)
  const found = which === 'auto' ? fromEnvironment(env) : { index: Number(which), of: undefined }
  if (given !== undefined && found.of !== undefined && given !== found.of) {
    throw new ForeproofError('usage', `--shard ${text}: the array has ${found.of} tasks`, {
      help: 'Write --shard auto, or give the array as many tasks.',
    })
  }
  const of = given ?? found.of
  if (of === undefined) {
    throw new ForeproofError('usage', `--shard ${text}: how many shards are there?`, { help: HELP })
  }
  const { index } = found
  if (
    !Number.isSafeInteger(of) ||
    of < 1 ||
    !Number.isSafeInteger(index) ||
    index < 1 ||
    index > of
  ) {
    throw new ForeproofError('usage', `--shard ${text}: there is no shard ${index} of ${of}`, {
      help: `Shards are numbered from 1 to their number. ${HELP}`,
    })
  }
  return { index, of }
}

interface Found {
  readonly index: number
  readonly of: number | undefined
}

function fromEnvironment(env: Environment): Found {
  const found = [slurm(env), parallel(env), kubernetes(env)].filter((each) => each !== undefined)
  if (found.length === 1) return found[0] as Found
  throw new ForeproofError(
    'usage',
    found.length === 0
      ? '--shard auto: no PARALLEL_SEQ, SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX is set'
      : '--shard auto: the environment numbers this run twice',
    { help: 'Write the number out: --shard 3/8.' },
  )
}

function slurm(env: Environment): Found | undefined {
  const id = whole(env, 'SLURM_ARRAY_TASK_ID')
  if (id === undefined) return undefined
  const first = whole(env, 'SLURM_ARRAY_TASK_MIN') ?? 1
  const step = whole(env, 'SLURM_ARRAY_TASK_STEP') ?? 1
  return { index: (id - first) / step + 1, of: whole(env, 'SLURM_ARRAY_TASK_COUNT') }
}

function parallel(env: Environment): Found | undefined {
  const sequence = whole(env, 'PARALLEL_SEQ')
  return sequence === undefined ? undefined : { index: sequence, of: undefined }
}

function kubernetes(env: Environment): Found | undefined {
  const index = whole(env, 'JOB_COMPLETION_INDEX')
  return index === undefined ? undefined : { index: index + 1, of: undefined }
}

function whole(env: Environment, name: string): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (/^\d+$/.test(text)) return Number(text)
  throw new ForeproofError('usage', `--shard auto: ${name} is ${text}, not a whole number`, {
    help: 'Write the number out: --shard 3/8.',
  })
}
