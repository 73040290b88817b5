import { type KernelMemory, kernelMemory } from './kernel.js'

// A memory of hundreds of megabytes lies about until the collector comes by, which nothing hurries:
// a second run would stand beside the first. So a finished run leaves its memory to the next one.
// Nothing of its content is ever read: every number is written before it is used.
let spare: WeakRef<KernelMemory> | undefined

/**
 * The memory of a finished run if it is large enough, else a new one.
 *
 * @throws ForeproofError unavailable when the system has no room for it
 */
export function takeMemory(bytes: number): KernelMemory {
  const left = spare?.deref()
  if (left === undefined || left.buffer.byteLength < bytes) return kernelMemory(bytes)
  spare = undefined
  return left
}

/** To be called when no thread uses the memory any more. */
export function leaveMemory(memory: KernelMemory): void {
  spare = new WeakRef(memory)
}
