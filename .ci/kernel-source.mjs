// The source of the bootstrap kernel, as WebAssembly text, and its compilation. Two widths (window
// starts and pair counts of 16 or 32 bits), each with and without counting pairs; the text is
// written out per variant because WebAssembly has no generics.
//
// Every function keeps the order of additions of the plain loop: one replicate after the other,
// one block after the other, each of the eight series in a lane of its own. Lanes never mix, so
// the sums are the bits of eight scalar loops.
import wabt from 'wabt'
import { blockCounts, blockSums } from './kernel-blocks.mjs'
import { advance, countVectors, each, LANES, NARROW, VECTORS, WIDE } from './kernel-shapes.mjs'
import { summaries } from './kernel-summary.mjs'

/** Adds the row of one block start, the `ahead`th from the position, to the accumulators. */
function addBlock(width, counted, ahead) {
  const sums = each(
    VECTORS,
    (v) => `(local.set $sum${v} (f64x2.add (local.get $sum${v})
      (v128.load offset=${16 * v} align=16 (local.get $row))))`,
  )
  const counts = each(
    countVectors(width),
    (v) => `(local.set $pairs${v} (${width.add}.add (local.get $pairs${v})
      (v128.load offset=${16 * v} align=16 (local.get $row))))`,
  )
  const shift = Math.log2(LANES * width.bytes)
  const countRow = `(local.set $row (i32.add (local.get $counts)
    (i32.shl (local.get $start) (i32.const ${shift}))))`
  return `(local.set $start (${width.load} offset=${ahead * width.bytes} (local.get $draws)))
    (local.set $row (i32.add (local.get $table) (i32.shl (local.get $start) (i32.const 6))))
    ${sums}
    ${counted ? countRow + counts : ''}`
}

/** sums: for each replicate, the sum (and the pair count) of each lane over its drawn blocks. */
function sums(width, counted) {
  const pairVectors = counted ? countVectors(width) : []
  return `(func (export "${counted ? 'counted' : 'dense'}_${width.name}")
    (param $table i32) (param $counts i32) (param $draws i32)
    (param $blocks i32) (param $replicates i32) (param $out i32) (param $outCounts i32)
    (local $left i32) (local $start i32) (local $row i32)
    ${each(VECTORS, (v) => `(local $sum${v} v128)`)}
    ${each(pairVectors, (v) => `(local $pairs${v} v128)`)}
    (loop $replicate
      ${each(VECTORS, (v) => `(local.set $sum${v} (v128.const f64x2 0 0))`)}
      ${each(pairVectors, (v) => `(local.set $pairs${v} (v128.const i64x2 0 0))`)}
      (local.set $left (i32.shr_u (local.get $blocks) (i32.const 1)))
      (if (local.get $left) (then
        (loop $two
          ${addBlock(width, counted, 0)}
          ${addBlock(width, counted, 1)}
          ${advance('draws', 2 * width.bytes)}
          (br_if $two (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
      (if (i32.and (local.get $blocks) (i32.const 1)) (then
        ${addBlock(width, counted, 0)}
        ${advance('draws', width.bytes)}))
      ${each(
        VECTORS,
        (v) => `(v128.store offset=${16 * v} align=16 (local.get $out) (local.get $sum${v}))`,
      )}
      ${advance('out', 8 * LANES)}
      ${each(
        pairVectors,
        (v) =>
          `(v128.store offset=${16 * v} align=16 (local.get $outCounts) (local.get $pairs${v}))`,
      )}
      ${counted ? advance('outCounts', LANES * width.bytes) : ''}
      (br_if $replicate
        (local.tee $replicates (i32.sub (local.get $replicates) (i32.const 1))))))`
}

/** One output byte of ARC4 (state: 256 bytes at $state; i and j in locals), as an i32. */
const BYTE = `
  (local.set $i (i32.and (i32.add (local.get $i) (i32.const 1)) (i32.const 255)))
  (local.set $t (i32.load8_u (i32.add (local.get $state) (local.get $i))))
  (local.set $j (i32.and (i32.add (local.get $j) (local.get $t)) (i32.const 255)))
  (local.set $u (i32.load8_u (i32.add (local.get $state) (local.get $j))))
  (i32.store8 (i32.add (local.get $state) (local.get $i)) (local.get $u))
  (i32.store8 (i32.add (local.get $state) (local.get $j)) (local.get $t))
  (local.set $byte (i32.load8_u (i32.add (local.get $state)
    (i32.and (i32.add (local.get $t) (local.get $u)) (i32.const 255)))))`

/**
 * draws: continues the generator of the seedrandom package from a saved state, and turns each of
 * its doubles u into the block start floor(u * starts). The double is assembled as seedrandom does:
 * six bytes make n; bytes are appended, the newest kept apart in x, until n reaches 2^52; then n,
 * the denominator and x are halved until n is below 2^53; u is (n + x) over the denominator.
 */
function draws(width) {
  return `(func (export "draws_${width.name}")
    (param $state i32) (param $out i32) (param $count i32) (param $starts f64)
    (local $i i32) (local $j i32) (local $t i32) (local $u i32) (local $byte i32)
    (local $n i64) (local $x i64) (local $exponent i32)
    (local.set $i (i32.load offset=256 (local.get $state)))
    (local.set $j (i32.load offset=260 (local.get $state)))
    (loop $draw
      (local.set $n (i64.const 0))
      ${each(
        [1, 2, 3, 4, 5, 6],
        () => `${BYTE}
        (local.set $n (i64.or (i64.shl (local.get $n) (i64.const 8))
          (i64.extend_i32_u (local.get $byte))))`,
      )}
      (local.set $x (i64.const 0))
      (local.set $exponent (i32.const 48))
      (loop $fill
        (local.set $n (i64.shl (i64.add (local.get $n) (local.get $x)) (i64.const 8)))
        (local.set $exponent (i32.add (local.get $exponent) (i32.const 8)))
        ${BYTE}
        (local.set $x (i64.extend_i32_u (local.get $byte)))
        (br_if $fill (i64.lt_u (local.get $n) (i64.const 0x10000000000000))))
      (block $halved
        (loop $halve
          (br_if $halved (i64.lt_u (local.get $n) (i64.const 0x20000000000000)))
          (local.set $n (i64.shr_u (local.get $n) (i64.const 1)))
          (local.set $x (i64.shr_u (local.get $x) (i64.const 1)))
          (local.set $exponent (i32.sub (local.get $exponent) (i32.const 1)))
          (br $halve)))
      (${width.store} (local.get $out) (i32.trunc_f64_u (f64.floor (f64.mul (local.get $starts)
        (f64.mul
          (f64.convert_i64_u (i64.add (local.get $n) (local.get $x)))
          (f64.reinterpret_i64 (i64.shl
            (i64.extend_i32_u (i32.sub (i32.const 1023) (local.get $exponent)))
            (i64.const 52))))))))
      ${advance('out', width.bytes)}
      (br_if $draw (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (i32.store offset=256 (local.get $state) (local.get $i))
    (i32.store offset=260 (local.get $state) (local.get $j)))`
}

export function kernelText() {
  const functions = [NARROW, WIDE].flatMap((width) => [
    sums(width, false),
    sums(width, true),
    draws(width),
    blockCounts(width),
  ])
  return `(module
    (import "foreproof" "memory" (memory 1 65536 shared))
    ${functions.join('\n')}
    ${blockSums()}
    ${summaries()})`
}

/** The compiled module, the same bytes for the same text and the same (pinned) wabt. */
export async function kernelBytes() {
  const module = (await wabt()).parseWat('kernel.wat', kernelText(), { simd: true, threads: true })
  try {
    module.validate({ simd: true, threads: true })
    return Buffer.from(module.toBinary({}).buffer)
  } finally {
    module.destroy()
  }
}

/** The generated source file. */
export async function kernelFile() {
  const base64 = (await kernelBytes()).toString('base64')
  const lines = base64.match(/.{1,92}/g) ?? []
  return [
    '// Made by .ci/generate.mjs from .ci/kernel-source.mjs.',
    '/** The WebAssembly module of the bootstrap kernel, in Base64. */',
    'export const KERNEL_BASE64 = [',
    ...lines.map((line) => `  '${line}',`),
    "].join('')",
    '',
  ].join('\n')
}
