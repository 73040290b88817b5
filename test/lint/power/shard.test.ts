import { describe, expect, it } from 'vitest'
import { shardOf } from '../../../src/lint/power/shard.js'

describe('--shard', () => {
  it.each([
    ['3/8', {}, { index: 3, of: 8 }],
    ['auto/8', { PARALLEL_SEQ: '2' }, { index: 2, of: 8 }],
    ['auto/8', { JOB_COMPLETION_INDEX: '0' }, { index: 1, of: 8 }],
    ['auto/8', { SLURM_ARRAY_TASK_ID: '8' }, { index: 8, of: 8 }],
    [
      'auto',
      {
        SLURM_ARRAY_TASK_ID: '6',
        SLURM_ARRAY_TASK_MIN: '2',
        SLURM_ARRAY_TASK_STEP: '2',
        SLURM_ARRAY_TASK_COUNT: '4',
      },
      { index: 3, of: 4 },
    ],
  ])('%s with %j', (text, env, shard) => {
    expect(shardOf(text, env)).toEqual(shard)
  })

  it.each([
    ['three', {}, /not a shard/],
    ['3', {}, /not a shard/],
    ['0/8', {}, /no shard 0 of 8/],
    ['9/8', {}, /no shard 9 of 8/],
    ['1/0', {}, /no shard 1 of 0/],
    ['auto/8', {}, /no PARALLEL_SEQ, SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX/],
    ['auto', { PARALLEL_SEQ: '2' }, /how many shards/],
    ['auto/8', { PARALLEL_SEQ: 'x' }, /PARALLEL_SEQ is x/],
    ['auto/8', { PARALLEL_SEQ: '1', JOB_COMPLETION_INDEX: '0' }, /numbers this run twice/],
    ['auto/8', { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '4' }, /the array has 4 tasks/],
    [
      'auto/8',
      { SLURM_ARRAY_TASK_ID: '4', SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_STEP: '2' },
      /no shard 2.5 of 8/,
    ],
  ])('refuses %s with %j', (text, env, says) => {
    expect(() => shardOf(text, env)).toThrow(says)
  })
})
