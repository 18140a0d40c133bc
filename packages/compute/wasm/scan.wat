;; Inner products of one query with every row of a row-major matrix in memory.
;; Rows are a multiple of 16 elements long: the caller pads them with zeros. Addresses are in bytes.
;;
;; The bytes in src/indexes/scan-kernel.ts are this file's:
;;   wat2wasm --enable-threads wasm/scan.wat -o - | base64 -w 0        (wabt 1.0.39)
(module
  (memory (import "host" "memory") 1 65536 shared)
  ;; scores[i] = sum over j of rows[i][j] * query[j], 32-bit floats
  (func (export "scanFloat32") (param $rows i32) (param $count i32) (param $dim i32) (param $query i32) (param $scores i32)
    (local $row i32) (local $q i32) (local $end i32) (local $stop i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $stop (i32.add (local.get $scores) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $row (local.get $rows))
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $eachRow
      (local.set $a (v128.const i32x4 0 0 0 0)) (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0)) (local.set $d (v128.const i32x4 0 0 0 0))
      (local.set $q (local.get $query))
      (local.set $end (i32.add (local.get $row) (i32.shl (local.get $dim) (i32.const 2))))
      (loop $each16
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $row)) (v128.load (local.get $q)))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $q)))))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul (v128.load offset=32 (local.get $row)) (v128.load offset=32 (local.get $q)))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul (v128.load offset=48 (local.get $row)) (v128.load offset=48 (local.get $q)))))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (br_if $each16 (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 64))) (local.get $end))))
      (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
      (f32.store (local.get $scores)
        (f32.add (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
                 (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
      (br_if $eachRow (i32.lt_u (local.tee $scores (i32.add (local.get $scores) (i32.const 4))) (local.get $stop)))))
  ;; the sum of four 32-bit integers
  (func $total (param $of v128) (result i32)
    (i32.add (i32.add (i32x4.extract_lane 0 (local.get $of)) (i32x4.extract_lane 1 (local.get $of)))
             (i32.add (i32x4.extract_lane 2 (local.get $of)) (i32x4.extract_lane 3 (local.get $of)))))
  ;; scores[i] = sum over j of rows[i][j] * query[j]; rows are 8-bit, the query is 16-bit, scores are 32-bit integers.
  ;; Four rows at once, each a quarter of all apart: what is not in the cache is then fetched from four places at a time.
  ;; So `count` is rounded up to a multiple of four; the rows and scores behind it must be within the memory.
  (func (export "scanInt8") (param $rows i32) (param $count i32) (param $dim i32) (param $query i32) (param $scores i32)
    (local $quarter i32) (local $rowsApart i32) (local $scoresApart i32) (local $q i32) (local $end i32) (local $score i32) (local $stop i32)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $r v128) (local $q0 v128) (local $q1 v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $quarter (i32.shr_u (i32.add (local.get $count) (i32.const 3)) (i32.const 2)))
    (local.set $rowsApart (i32.mul (local.get $quarter) (local.get $dim)))
    (local.set $scoresApart (i32.shl (local.get $quarter) (i32.const 2)))
    (local.set $stop (i32.add (local.get $scores) (local.get $scoresApart)))
    (local.set $row0 (local.get $rows))
    (loop $eachRow
      (local.set $row1 (i32.add (local.get $row0) (local.get $rowsApart)))
      (local.set $row2 (i32.add (local.get $row1) (local.get $rowsApart)))
      (local.set $row3 (i32.add (local.get $row2) (local.get $rowsApart)))
      (local.set $sum0 (v128.const i32x4 0 0 0 0))
      (local.set $sum1 (v128.const i32x4 0 0 0 0))
      (local.set $sum2 (v128.const i32x4 0 0 0 0))
      (local.set $sum3 (v128.const i32x4 0 0 0 0))
      (local.set $q (local.get $query))
      (local.set $end (i32.add (local.get $row0) (local.get $dim)))
      (loop $each16
        (local.set $q0 (v128.load (local.get $q)))
        (local.set $q1 (v128.load offset=16 (local.get $q)))
        (local.set $q (i32.add (local.get $q) (i32.const 32)))
        (local.set $r (v128.load (local.get $row1)))
        (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $r)) (local.get $q0))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $r)) (local.get $q1)))))
        (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
        (local.set $r (v128.load (local.get $row2)))
        (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $r)) (local.get $q0))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $r)) (local.get $q1)))))
        (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
        (local.set $r (v128.load (local.get $row3)))
        (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $r)) (local.get $q0))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $r)) (local.get $q1)))))
        (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
        (local.set $r (v128.load (local.get $row0)))
        (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $r)) (local.get $q0))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $r)) (local.get $q1)))))
        (br_if $each16 (i32.lt_u (local.tee $row0 (i32.add (local.get $row0) (i32.const 16))) (local.get $end))))
      (local.set $score (local.get $scores))
      (i32.store (local.get $score) (call $total (local.get $sum0)))
      (local.set $score (i32.add (local.get $score) (local.get $scoresApart)))
      (i32.store (local.get $score) (call $total (local.get $sum1)))
      (local.set $score (i32.add (local.get $score) (local.get $scoresApart)))
      (i32.store (local.get $score) (call $total (local.get $sum2)))
      (local.set $score (i32.add (local.get $score) (local.get $scoresApart)))
      (i32.store (local.get $score) (call $total (local.get $sum3)))
      (br_if $eachRow (i32.lt_u (local.tee $scores (i32.add (local.get $scores) (i32.const 4))) (local.get $stop))))))
