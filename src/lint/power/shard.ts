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
const WRITE_OUT = 'Write the number out: --shard 3/8.'

/**
 * The shard that is asked for: `3/8`, or `auto/8`, where the number comes from the environment of
 * GNU parallel (PARALLEL_SEQ), a Slurm array (SLURM_ARRAY_TASK_ID) or an Indexed Job of Kubernetes
 * (JOB_COMPLETION_INDEX). Slurm says how many there are as well, so `auto` is enough there.
 * @throws {ForeproofError} `usage` for what is no shard.
 */
export function shardOf(text: string, env: Environment): Shard {
  const [, which, many] = /^(\d+|auto)(?:\/(\d+))?$/.exec(text) ?? []
  if (which === undefined || (which !== 'auto' && many === undefined)) {
    throw wrong(`${text}: not a shard`, HELP)
  }
  const found = which === 'auto' ? fromEnvironment(env) : { index: Number(which), of: undefined }
  const of = many === undefined ? found.of : Number(many)
  if (found.of !== undefined && of !== found.of) {
    const help = 'Write --shard auto, or give the array as many tasks.'
    throw wrong(`${text}: the array has ${found.of} tasks`, help)
  }
  if (of === undefined) throw wrong(`${text}: how many shards are there?`, HELP)
  const { index } = found
  const isNumber = (value: number) => Number.isSafeInteger(value) && value >= 1
  if (!isNumber(of) || !isNumber(index) || index > of) {
    const help = `Shards are numbered from 1 to their number. ${HELP}`
    throw wrong(`${text}: there is no shard ${index} of ${of}`, help)
  }
  return { index, of }
}

function wrong(says: string, help: string): ForeproofError {
  return new ForeproofError('usage', `--shard ${says}`, { help })
}

interface Found {
  readonly index: number
  readonly of: number | undefined
}

function fromEnvironment(env: Environment): Found {
  const id = whole(env, 'SLURM_ARRAY_TASK_ID')
  const sequence = whole(env, 'PARALLEL_SEQ')
  const completion = whole(env, 'JOB_COMPLETION_INDEX')
  const found: Found[] = []
  if (id !== undefined) {
    const first = whole(env, 'SLURM_ARRAY_TASK_MIN') ?? 1
    const step = whole(env, 'SLURM_ARRAY_TASK_STEP') ?? 1
    found.push({ index: (id - first) / step + 1, of: whole(env, 'SLURM_ARRAY_TASK_COUNT') })
  }
  if (sequence !== undefined) found.push({ index: sequence, of: undefined })
  if (completion !== undefined) found.push({ index: completion + 1, of: undefined })
  if (found.length === 1) return found[0] as Found
  const says =
    found.length === 0
      ? 'no PARALLEL_SEQ, SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX is set'
      : 'the environment numbers this run twice'
  throw wrong(`auto: ${says}`, WRITE_OUT)
}

function whole(env: Environment, name: string): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (/^\d+$/.test(text)) return Number(text)
  throw wrong(`auto: ${name} is ${text}, not a whole number`, WRITE_OUT)
}
