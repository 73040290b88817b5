// Run by evidence.test.ts against the built library: the result of a made family, or of stopping.
import { runFamily } from '../../dist/inference/run-family.js'

const [what, workers, memory] = process.argv.slice(2)
const origins = 24 * 40 + 5
let state = 12345
const random = () => {
  state = (state * 1103515245 + 12345) % 2147483648
  return state / 2147483648 - 0.5
}
const series = (gaps) => ({
  values: Float64Array.from({ length: origins }, () =>
    random() < gaps - 0.5 ? Number.NaN : random(),
  ),
})
const tests = Array.from({ length: 60 }, (_, i) => ({
  name: `test ${i}`,
  components: Array.from({ length: i % 9 === 0 ? 4 : 1 }, () => series(i % 3 === 0 ? 0.2 : 0)),
}))
const stop = new AbortController()
const input = {
  ...{ origins, blockLength: 24, replicates: what === 'abort' ? 200_000 : 2000, seed: 410 },
  ...{ alpha: 0.05, minimumPairs: 10, minimumBlocks: 8, tests, workers: Number(workers) },
  ...(memory === undefined ? {} : { memory: Number(memory) }),
  signal: stop.signal,
}
if (what === 'abort') {
  setTimeout(() => stop.abort(), 100)
  await runFamily(input).catch((error) => process.stdout.write(error.code))
} else {
  process.stdout.write(JSON.stringify(await runFamily(input)))
}
