//! Small modules whose operators are counted by hand. Each line of code ends with how often it is executed.

use benchbook_instrument::BulkKind::{
    MemoryCopy, MemoryFill, MemoryGrow, MemoryInit, TableCopy, TableFill, TableGrow, TableInit,
};
use benchbook_instrument::Class::{Arithmetic, Branch, Bulk, DirectCall, Entry, IndirectCall, Load, Store};

use crate::execution::count;

#[test]
fn an_empty_function_costs_its_entry() {
    let counted = count(r#"(module (func (export "run")))"#, &[]);
    assert_eq!(counted.classes(), [(Entry, 1)]);
    assert_eq!(counted.operators().cost(), 1);
}

#[test]
fn free_operators_cost_nothing() {
    let counted = count(
        r#"(module (func (export "run") (result i32)
            nop
            block
                nop
            end
            loop
                nop
            end
            i32.const 3     ;; 1
            drop
            i32.const 7     ;; 1
            return))"#,
        &[],
    );
    assert_eq!(counted.result(), 7);
    assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, 2)]);
}

#[test]
fn loads_and_stores() {
    let counted = count(
        r#"(module (memory 1) (table 2 funcref) (func (export "run") (result i32)
            i32.const 8         ;; 1
            i32.const 515       ;; 1
            i32.store           ;; 1 store
            i32.const 0         ;; 1
            i32.const 8         ;; 1
            i32.load16_u        ;; 1 load
            i32.store8          ;; 1 store
            i32.const 16        ;; 1
            i32.const 0         ;; 1
            v128.load32_splat   ;; 1 load
            v128.store          ;; 1 store
            i32.const 0         ;; 1
            i32.const 1         ;; 1
            table.get 0         ;; 1 load
            table.set 0         ;; 1 store
            i32.const 28        ;; 1
            i32.load))          ;; 1 load"#,
        &[],
    );
    assert_eq!(counted.result(), 3);
    assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, 9), (Load, 4), (Store, 4)]);
}

#[test]
fn values_of_all_types_are_arithmetic() {
    let counted = count(
        r#"(module (memory 1) (table 3 externref) (global $g (mut i32) (i32.const 5)) (func (export "run") (result i32)
            (local f64 externref)
            global.get $g           ;; 1
            i32.const 1             ;; 1
            i32.add                 ;; 1
            global.set $g           ;; 1
            f64.const -2.5          ;; 1
            f64.abs                 ;; 1
            local.set 0             ;; 1
            local.get 0             ;; 1
            i32.trunc_sat_f64_s     ;; 1
            i32.extend8_s           ;; 1
            global.get $g           ;; 1
            i32.const 1             ;; 1
            select                  ;; 1
            memory.size             ;; 1
            table.size 0            ;; 1
            ref.null extern         ;; 1
            ref.is_null             ;; 1
            v128.const i32x4 1 2 3 4 ;; 1
            v128.any_true           ;; 1
            drop drop drop drop))"#,
        &[],
    );
    assert_eq!(counted.result(), 2);
    assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, 19)]);
}

#[test]
fn a_loop_with_an_early_exit() {
    // Sums up n, n - 1, …, and leaves the block at 0.
    let wat = r#"(module (func (export "run") (param $n i32) (result i32) (local $sum i32)
        block $done
            loop $next
                local.get $n        ;; n + 1
                i32.eqz             ;; n + 1
                br_if $done         ;; n + 1 branch
                local.get $sum      ;; n
                local.get $n        ;; n
                i32.add             ;; n
                local.set $sum      ;; n
                local.get $n        ;; n
                i32.const 1         ;; n
                i32.sub             ;; n
                local.set $n        ;; n
                br $next            ;; n branch
            end
            unreachable
        end
        local.get $sum))            ;; 1"#;
    for n in [0, 1, 10] {
        let (counted, times) = (count(wat, &[n]), n as u64);
        assert_eq!(counted.result(), n * (n + 1) / 2);
        assert_eq!(
            counted.classes(),
            [(Entry, 1), (Arithmetic, 2 * (times + 1) + 8 * times + 1), (Branch, 2 * times + 1)]
        );
    }
    let counted = count(wat, &[10]);
    // Up to the loop, its test, the rest of it, and the end.
    assert_eq!(counted.counters, [1, 11, 10, 1]);
}

#[test]
fn both_arms_of_an_if() {
    let wat = r#"(module (func (export "run") (param i32) (result i32)
        local.get 0             ;; 1
        if (result i32)         ;; 1 branch
            i32.const 1         ;; if true
            i32.const 2         ;; if true
            i32.add             ;; if true
        else
            i32.const 4         ;; if false
        end
        i32.const 10            ;; 1
        i32.mul))               ;; 1"#;
    let [is_true, is_false] = [count(wat, &[1]), count(wat, &[0])];
    assert_eq!((is_true.result(), is_false.result()), (30, 40));
    assert_eq!(is_true.classes(), [(Entry, 1), (Arithmetic, 3 + 3), (Branch, 1)]);
    assert_eq!(is_false.classes(), [(Entry, 1), (Arithmetic, 3 + 1), (Branch, 1)]);
}

#[test]
fn an_if_without_else() {
    let wat = r#"(module (func (export "run") (param i32) (result i32)
        local.get 0             ;; 1
        if                      ;; 1 branch
            i32.const 5         ;; if true
            return
        end
        i32.const 9))           ;; if false"#;
    let [is_true, is_false] = [count(wat, &[1]), count(wat, &[0])];
    assert_eq!((is_true.result(), is_false.result()), (5, 9));
    assert_eq!(is_true.classes(), [(Entry, 1), (Arithmetic, 2), (Branch, 1)]);
    assert_eq!(is_false.classes(), [(Entry, 1), (Arithmetic, 2), (Branch, 1)]);
    assert_eq!((is_true.counters, is_false.counters), (vec![1, 1, 0], vec![1, 0, 1]));
}

#[test]
fn a_branch_table() {
    let wat = r#"(module (func (export "run") (param i32) (result i32)
        block $default
            block $one
                block $zero
                    local.get 0                     ;; 1
                    br_table $zero $one $default    ;; 1 branch
                end
                i32.const 100                       ;; for 0
                return
            end
            i32.const 100                           ;; for 1
            i32.const 1                             ;; for 1
            i32.add                                 ;; for 1
            return
        end
        local.get 0                                 ;; otherwise
        i32.const 2                                 ;; otherwise
        i32.mul                                     ;; otherwise
        i32.const 1                                 ;; otherwise
        i32.sub))                                   ;; otherwise"#;
    for (argument, result, arithmetic) in [(0, 100, 1 + 1), (1, 101, 1 + 3), (2, 3, 1 + 5), (-1, -3, 1 + 5)] {
        let counted = count(wat, &[argument]);
        assert_eq!(counted.result(), result);
        assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, arithmetic), (Branch, 1)]);
    }
}

#[test]
fn code_without_a_way_to_it_has_no_counters() {
    let counted = count(
        r#"(module (func (export "run") (result i32)
            block $end
                i32.const 0         ;; 1
                br_if $end          ;; 1 branch
                i32.const 6         ;; 1
                return
                i32.const 1
                if
                    i32.const 2
                    drop
                else
                    br $end
                end
                loop
                    br 0
                end
                i32.const 3
                drop
            end
            block $never
                unreachable
                i32.const 3
                br_if $never
            end
            i32.const 4))"#,
        &[],
    );
    assert_eq!(counted.result(), 6);
    assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, 2), (Branch, 1)]);
    // The block up to the branch and the one after it. Both others that have a cost can't be reached.
    assert_eq!(counted.counters, [1, 1]);
}

#[test]
fn code_after_an_if_whose_arms_leave_is_dead() {
    let counted = count(
        r#"(module (func (export "run") (result i32)
            i32.const 1             ;; 1
            if                      ;; 1 branch
                i32.const 2         ;; 1
                return
            else
                i32.const 3
                return
            end
            i32.const 4))"#,
        &[],
    );
    assert_eq!(counted.result(), 2);
    assert_eq!(counted.counters, [1, 1, 0]);
}

#[test]
fn calls_count_their_callees() {
    let counted = count(
        r#"(module
            (type $unary (func (param i32) (result i32)))
            (table funcref (elem $double $triple))
            (func $double (param i32) (result i32)
                local.get 0             ;; 2
                i32.const 2             ;; 2
                i32.mul)                ;; 2
            (func $triple (param i32) (result i32)
                local.get 0             ;; 1
                i32.const 3             ;; 1
                i32.mul)                ;; 1
            (func (export "run") (result i32)
                i32.const 1             ;; 1
                call $double            ;; 1 direct call
                i32.const 1             ;; 1
                call_indirect (type $unary) ;; 1 indirect call
                i32.const 0             ;; 1
                call_indirect (type $unary))) ;; 1 indirect call"#,
        &[],
    );
    assert_eq!(counted.result(), 12);
    assert_eq!(
        counted.classes(),
        [(Entry, 1 + 2 + 1), (Arithmetic, 2 * 3 + 3 + 3), (DirectCall, 1), (IndirectCall, 2)]
    );
    // By block: $double, $triple, run.
    assert_eq!(counted.counters, [2, 1, 1]);
    let calls: Vec<_> = counted.map.calls.iter().map(|call| (call.callee, call.block)).collect();
    assert_eq!(calls, [(Some(0), 2), (None, 2), (None, 2)]);
}

#[test]
fn tail_calls() {
    let counted = count(
        r#"(module
            (type $unary (func (param i32) (result i32)))
            (table funcref (elem $countdown))
            (func $countdown (param i32) (result i32)
                local.get 0             ;; 4
                i32.eqz                 ;; 4
                if                      ;; 4 branch
                    i32.const 42        ;; 1
                    return
                end
                local.get 0             ;; 3
                i32.const 1             ;; 3
                i32.sub                 ;; 3
                return_call $countdown) ;; 3 direct call
            (func (export "run") (result i32)
                i32.const 3             ;; 1
                i32.const 0             ;; 1
                return_call_indirect (type $unary)))"#,
        &[],
    );
    assert_eq!(counted.result(), 42);
    assert_eq!(
        counted.classes(),
        [(Entry, 1 + 4), (Arithmetic, 2 * 4 + 1 + 3 * 3 + 2), (Branch, 4), (DirectCall, 3), (IndirectCall, 1)]
    );
}

#[test]
fn bulk_operators_count_bytes_and_pages() {
    let counted = count(
        r#"(module (memory 1 3) (data $text "benchbook") (func (export "run") (param i32) (result i32)
            i32.const 100 i32.const 7 i32.const 50 memory.fill          ;; 3 + 1 bulk
            i32.const 200 i32.const 100 local.get 0 memory.copy         ;; 3 + 1 bulk
            i32.const 300 i32.const 200 i32.const 12 memory.copy        ;; 3 + 1 bulk
            i32.const 400 i32.const 0 i32.const 9 memory.init $text     ;; 3 + 1 bulk
            data.drop $text                                             ;; 1 bulk
            i32.const 2 memory.grow                                     ;; 1 + 1 bulk
            i32.const 1 memory.grow                                     ;; 1 + 1 bulk, fails
            i32.add                                                     ;; 1
            i32.const 311 i32.load8_u                                   ;; 1 + 1 load
            i32.add))                                                   ;; 1"#,
        &[30],
    );
    // 1 page before, -1 for the failure, and 7, the last byte that was copied.
    assert_eq!(counted.result(), 7);
    assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, 12 + 2 + 1 + 1 + 1), (Load, 1), (Bulk, 7)]);
    let amounts = [MemoryFill, MemoryCopy, MemoryInit, MemoryGrow].map(|kind| counted.amount(kind));
    assert_eq!(amounts, [50, 30 + 12, 9, 2]);
    let kinds: Vec<_> = counted.map.bulk.iter().map(|bulk| bulk.kind).collect();
    assert_eq!(kinds, [MemoryFill, MemoryCopy, MemoryCopy, MemoryInit, MemoryGrow, MemoryGrow]);
}

#[test]
fn bulk_operators_count_elements() {
    let counted = count(
        r#"(module (table $t 10 20 funcref) (elem $e func $f $f $f) (func $f) (func (export "run") (result i32)
            i32.const 0 ref.null func i32.const 6 table.fill $t             ;; 3 + 1 bulk
            i32.const 1 i32.const 0 i32.const 5 table.copy $t $t            ;; 3 + 1 bulk
            i32.const 0 i32.const 0 i32.const 3 table.init $t $e            ;; 3 + 1 bulk
            elem.drop $e                                                    ;; 1 bulk
            ref.null func i32.const 4 table.grow $t                         ;; 2 + 1 bulk
            ref.null func i32.const 99 table.grow $t                        ;; 2 + 1 bulk, fails
            i32.add))                                                       ;; 1"#,
        &[],
    );
    assert_eq!(counted.result(), 10 - 1);
    assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, 9 + 2 + 2 + 1), (Bulk, 6)]);
    assert_eq!([TableFill, TableCopy, TableInit, TableGrow].map(|kind| counted.amount(kind)), [6, 5, 3, 4]);
}

#[test]
fn a_trap_counts_its_block_as_a_whole() {
    let counted = count(
        r#"(module (memory 1) (func (export "run") (result i32)
            i32.const -1        ;; 1
            i32.load            ;; 1, traps
            i32.const 1         ;; counted
            i32.add))           ;; counted"#,
        &[],
    );
    assert_eq!(counted.outcome.clone().unwrap_err(), "MemoryOutOfBounds");
    assert_eq!(counted.classes(), [(Entry, 1), (Arithmetic, 3), (Load, 1)]);
}

#[test]
fn counters_accumulate_and_fill_several_exports() {
    // 1 200 functions with one block each, and one that calls them all.
    let functions: String = (0..1_200).map(|index| format!("(func $f{index})")).collect();
    let calls: String = (0..1_200).map(|index| format!("call $f{index} ")).collect();
    let counted = count(&format!("(module {functions} (func (export \"run\") {calls} call $f1100))"), &[]);
    let exports: Vec<_> = counted.map.exports().collect();
    assert_eq!(exports, [("benchbook_counters_0".to_owned(), 1_000), ("benchbook_counters_1".to_owned(), 201)]);
    assert_eq!((counted.counters[1_099], counted.counters[1_100], counted.counters[1_200]), (1, 2, 1));
    assert_eq!(counted.classes(), [(Entry, 1 + 1_201), (DirectCall, 1_201)]);
}
