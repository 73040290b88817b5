// Writes src/inference/kernel.generated.ts; test/inference/kernel.test.ts holds the committed file
// against a new one.
import { writeFileSync } from 'node:fs'
import { kernelFile } from './kernel-source.mjs'

writeFileSync(new URL('../src/inference/kernel.generated.ts', import.meta.url), await kernelFile())
