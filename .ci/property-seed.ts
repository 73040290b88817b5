import { configureGlobal } from 'fast-check'

/**
 * Property tests draw the same cases in every run, so that a change is to blame when one fails. Other
 * cases: FOREPROOF_PROPERTY_SEED=$RANDOM FOREPROOF_PROPERTY_RUNS=20 npm test, the latter to draw so many
 * times as many where a test does not say how many.
 */
const { FOREPROOF_PROPERTY_SEED: seed = '20261121', FOREPROOF_PROPERTY_RUNS: times = '1' } =
  process.env

configureGlobal({ seed: Number(seed), numRuns: 100 * Number(times) })
