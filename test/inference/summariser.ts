import { instantiate, kernelMemory } from '../../src/inference/kernel.js'
import { areaOf, layoutOf } from '../../src/inference/layout.js'
import { Summariser } from '../../src/inference/summary.js'

/** What is kept of given statistics, one per replicate, by the kernel itself. */
export function summariserOf(statistics: Float64Array, ranks: Int32Array): Summariser {
  const replicates = statistics.length
  const layout = layoutOf({ origins: 1, blockLength: 1, replicates, workers: 1 })
  const memory = kernelMemory(layout.bytes)
  const kernel = instantiate(memory)
  const summariser = new Summariser(kernel, memory, layout, areaOf(layout, 0), ranks)
  summariser.statistics.set(statistics)
  return summariser
}
