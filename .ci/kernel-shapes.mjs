// What the texts of the kernel's functions have in common.

/** Series summed side by side: 64 bytes of a table, one cache line, are one block start. */
export const LANES = 8
export const VECTORS = [0, 1, 2, 3]

export const NARROW = {
  name: 'narrow',
  bytes: 2,
  load: 'i32.load16_u',
  store: 'i32.store16',
  add: 'i16x8',
}
export const WIDE = { name: 'wide', bytes: 4, load: 'i32.load', store: 'i32.store', add: 'i32x4' }

export const each = (items, make) => items.map(make).join('\n')

/** How many v128 hold the pair counts of eight series. */
export const countVectors = (width) => (width.bytes === 2 ? [0] : [0, 1])

export const advance = (name, bytes) =>
  `(local.set $${name} (i32.add (local.get $${name}) (i32.const ${bytes})))`
