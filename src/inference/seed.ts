import seedrandom from 'seedrandom'
import type { KernelMemory } from './kernel.js'

interface GeneratorState {
  readonly i: number
  readonly j: number
  readonly S: readonly number[]
}

/**
 * Seeds the generator with the seedrandom package and puts its state where the kernel continues
 * it. The package decides what a seed means; the kernel only repeats its steps faster, and a test
 * holds the two against each other draw by draw.
 */
export function seedState(memory: KernelMemory, address: number, seed: number): void {
  const { i, j, S } = seedrandom(String(seed), { state: true }).state() as GeneratorState
  new Uint8Array(memory.buffer, address, 256).set(S)
  new Int32Array(memory.buffer, address + 256, 2).set([i, j])
}
