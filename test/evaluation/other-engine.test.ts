import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { contentsOf, EVERY_KIND } from './every-kind.js'
import { audited, scoreInto } from './score-into.js'
import { copyOf } from './world.js'

/** What ECMAScript leaves to the engine: any of them may be a last bit off. */
const OWN_BITS = [
  ...['acos', 'acosh', 'asin', 'asinh', 'atan', 'atan2', 'atanh', 'cbrt', 'cos', 'cosh', 'exp'],
  ...['expm1', 'hypot', 'log', 'log10', 'log1p', 'log2', 'pow', 'sin', 'sinh', 'tan', 'tanh'],
] as const

const bits = new DataView(new ArrayBuffer(8))
/** The next number after one, away from 0. */
function besides(x: number): number {
  if (!Number.isFinite(x) || x === 0) return x
  bits.setFloat64(0, x)
  bits.setBigInt64(0, bits.getBigInt64(0) + 1n)
  return bits.getFloat64(0)
}

/** Has this process compute as another engine may. */
function onAnotherEngine(): void {
  for (const name of OWN_BITS) {
    const own = Math[name] as (...values: number[]) => number
    vi.spyOn(Math, name).mockImplementation((...values: number[]) => besides(own(...values)))
  }
}

it.each(Object.entries(EVERY_KIND))(
  'evidence of %s has the same bytes under an engine with other last bits, which audits it whole',
  async (_kind, make) => {
    const world = await make()
    // So that it is the first reading there, too.
    const other = copyOf(world)
    await scoreInto(world, 'here')
    onAnotherEngine()
    expect(Math.log(10)).not.toBe(Math.LN10)
    const { findings } = await audited(join(world.folder, 'here'))
    expect(findings).toEqual([])
    await scoreInto(other, 'there')
    vi.restoreAllMocks()
    expect(contentsOf(join(other.folder, 'there'))).toEqual(contentsOf(join(world.folder, 'here')))
  },
)
