// What is done once per tile, before anything is drawn. `rows` holds eight series side by side, a
// row of 64 bytes per origin, NaN where a series has no pair.
import { advance, countVectors, each, NARROW, VECTORS } from './kernel-shapes.mjs'

/** Does something to `count` rows, one after the other; $to and $from move along. */
const forRows = (body) => `(loop $row
  ${each(VECTORS, (v) => body(`offset=${16 * v} align=16`))}
  ${advance('to', 64)}
  ${advance('from', 64)}
  (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))`

const rowFunction = (name, body) =>
  `(func ${name} (param $to i32) (param $from i32) (param $count i32) (local $x v128)
    ${forRows(body)})`

const load = (at, place) => `(v128.load ${place} (local.get $${at}))`
const store = (place, value) => `(v128.store ${place} (local.get $to) ${value})`

/**
 * block_sums: the sum of every block of `length` consecutive origins, gaps as 0, by doubling: sums
 * over 1, 2, 4, ... origins, joined from the smallest power upwards along the binary digits of the
 * length. The cost grows with the logarithm of the length; and a block's sum depends on nothing
 * outside the block, as it would with differences of a running total, where blocks with the same
 * content would differ in the last bits. Overwrites `rows`; `table` receives a row per block start.
 */
export function blockSums() {
  const copy = (place) => store(place, load('from', place))
  const add = (place) => store(place, `(f64x2.add ${load('to', place)} ${load('from', place)})`)
  const fill = (place) => `(local.set $x ${load('from', place)})
    ${store(place, '(v128.and (local.get $x) (f64x2.eq (local.get $x) (local.get $x)))')}`
  const row = (index) => `(i32.add (local.get $rows) (i32.shl ${index} (i32.const 6)))`
  return `${rowFunction('$copy_rows', copy)}
    ${rowFunction('$add_rows', add)}
    ${rowFunction('$fill_gaps', fill)}
    (func (export "block_sums")
      (param $rows i32) (param $origins i32) (param $length i32) (param $table i32)
      (local $starts i32) (local $size i32) (local $joined i32)
      (call $fill_gaps (local.get $rows) (local.get $rows) (local.get $origins))
      (local.set $starts
        (i32.add (i32.sub (local.get $origins) (local.get $length)) (i32.const 1)))
      (local.set $size (i32.const 1))
      (loop $double
        (if (i32.and (local.get $length) (local.get $size)) (then
          (if (local.get $joined)
            (then (call $add_rows (local.get $table) ${row('(local.get $joined)')}
              (local.get $starts)))
            (else (call $copy_rows (local.get $table) (local.get $rows) (local.get $starts))))
          (local.set $joined (i32.add (local.get $joined) (local.get $size)))))
        (if (i32.le_u (i32.shl (local.get $size) (i32.const 1)) (local.get $length)) (then
          (call $add_rows (local.get $rows) ${row('(local.get $size)')}
            (i32.add (i32.const 1) (i32.sub (local.get $origins)
              (i32.shl (local.get $size) (i32.const 1)))))
          (local.set $size (i32.shl (local.get $size) (i32.const 1)))
          (br $double)))))`
}

/** -1 per lane with a pair in the row at $from, else 0; a vector of counts wide. */
function marks(width, vector) {
  const quarter = (v) => `(f64x2.eq ${load('from', `offset=${16 * v} align=16`)}
    ${load('from', `offset=${16 * v} align=16`)})`
  const half = (v) => `(i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27
    ${quarter(v)} ${quarter(v + 1)})`
  return width === NARROW ? `(i16x8.narrow_i32x4_s ${half(0)} ${half(2)})` : half(2 * vector)
}

/** block_counts: the pairs in every block, lane by lane, by a window that slides by one. */
export function blockCounts(width) {
  const vectors = countVectors(width)
  const slide = (operation, origin) => `
    (local.set $from (i32.add (local.get $rows) (i32.shl ${origin} (i32.const 6))))
    ${each(
      vectors,
      (v) => `(local.set $pairs${v}
        (${width.add}.${operation} (local.get $pairs${v}) ${marks(width, v)}))`,
    )}`
  return `(func (export "block_counts_${width.name}")
    (param $rows i32) (param $origins i32) (param $length i32) (param $counts i32)
    (local $end i32) (local $from i32) ${each(vectors, (v) => `(local $pairs${v} v128)`)}
    (loop $origin
      ${slide('sub', '(local.get $end)')}
      (local.set $end (i32.add (local.get $end) (i32.const 1)))
      (if (i32.ge_u (local.get $end) (local.get $length)) (then
        ${each(
          vectors,
          (v) =>
            `(v128.store offset=${16 * v} align=16 (local.get $counts) (local.get $pairs${v}))`,
        )}
        ${advance('counts', 16 * vectors.length)}
        ${slide('add', '(i32.sub (local.get $end) (local.get $length))')}))
      (br_if $origin (i32.lt_u (local.get $end) (local.get $origins)))))`
}
