//! All mutants of a source in one text: what a mutant changes stands beside what it was, and a number that the process is
//! started with says which of them is run. So a crate is compiled once for all its mutants.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, UnOp};

/// The function of `switch.rs`, as the crate names it.
const SWITCH: &str = "crate::lanner_mutants::is";

/// A place in a source: lines and columns begin with 1, columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

/// From a place up to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) struct Span {
    start: Place,
    end: Place,
}

/// A mutant, as `cargo mutants --list --json` describes it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Mutant {
    /// What is done where: `FILE:LINE:COLUMN: what`.
    pub(super) name: String,
    pub(super) file: String,
    genre: String,
    span: Span,
    replacement: String,
}

/// A source with mutants in it.
#[derive(Debug, Default)]
pub(super) struct Placed {
    pub(super) text: String,
    /// Where each of them is in the text, by the number of the mutant.
    spans: Vec<(Range<usize>, Vec<usize>)>,
    /// Those that are not in it, because they are in constants, or this program does not know how.
    pub(super) left: BTreeSet<usize>,
    /// Those that are no Rust.
    pub(super) unread: BTreeSet<usize>,
}

impl Placed {
    /// Those that a complaint of the compiler about these bytes of the text is about: of the smallest piece that has the
    /// bytes in it, or else of all that are among them.
    pub(super) fn blamed(&self, bytes: &Range<usize>) -> BTreeSet<usize> {
        let around = self
            .spans
            .iter()
            .filter(|(span, _)| span.start <= bytes.start && bytes.end <= span.end)
            .min_by_key(|(span, _)| span.len());
        if let Some((_, numbers)) = around {
            return numbers.iter().copied().collect();
        }
        let within = |span: &Range<usize>| bytes.start <= span.start && span.end <= bytes.end;
        let among = self.spans.iter().filter(|(span, _)| within(span));
        among.flat_map(|(_, numbers)| numbers).copied().collect()
    }
}

/// Something that is done to the source.
#[derive(Debug)]
enum Edit {
    /// An expression, or one of others in its place.
    Either(Vec<(usize, String)>),
    /// Text before what is there.
    Before(usize, String),
    /// Nothing in the place of what is there.
    Gone,
}

/// Puts mutants into a source, each by its number. Functions of these names must remain `const`.
///
/// # Errors
///
/// The source cannot be read.
pub(super) fn place(
    source: &str,
    mutants: &BTreeMap<usize, &Mutant>,
    constant: &BTreeSet<String>,
) -> Result<Placed, String> {
    let file = syn::parse_file(source).map_err(|error| error.to_string())?;
    let lines = Lines::of(source);
    let mut finder = Finder {
        source,
        constant,
        waiting: mutants
            .iter()
            .map(|(number, mutant)| (*number, (lines.bytes(mutant.span), *mutant)))
            .collect(),
        edits: Vec::new(),
        unread: BTreeSet::new(),
    };
    finder.visit_file(&file);
    let left = finder.waiting.keys().copied().collect();
    let unread = finder.unread;
    let mut edits = finder.edits;
    // What is around others stands before them.
    edits.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut placed = Placed {
        left,
        unread,
        ..Placed::default()
    };
    let mut edits = edits.into_iter().peekable();
    render(source, 0..source.len(), &mut edits, &mut placed);
    Ok(placed)
}

type Edits = std::iter::Peekable<std::vec::IntoIter<(Range<usize>, Edit)>>;

/// Writes a piece of the source with what is done within.
fn render(source: &str, piece: Range<usize>, edits: &mut Edits, placed: &mut Placed) {
    let mut at = piece.start;
    while let Some((range, edit)) = edits.next_if(|(range, _)| range.end <= piece.end) {
        placed.text.push_str(&source[at..range.start]);
        at = range.end;
        let begun = placed.text.len();
        match edit {
            Edit::Gone => {}
            Edit::Before(number, text) => {
                placed.text.push_str(&text);
                placed.spans.push((begun..placed.text.len(), vec![number]));
                at = range.start;
            }
            Edit::Either(others) => {
                placed.text.push('(');
                for (number, other) in &others {
                    let begun = placed.text.len();
                    let _ = write!(placed.text, "if {SWITCH}({number}) {{ {other} }}");
                    placed.spans.push((begun..placed.text.len(), vec![*number]));
                    placed.text.push_str(" else ");
                }
                placed.text.push_str("{ ");
                render(source, range, edits, placed);
                placed.text.push_str(" })");
                let numbers = others.into_iter().map(|(number, _)| number);
                placed
                    .spans
                    .push((begun..placed.text.len(), numbers.collect()));
            }
        }
    }
    placed.text.push_str(&source[at..piece.end]);
}

/// Where each line of a source begins.
struct Lines<'a> {
    source: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(source: &'a str) -> Self {
        let after = source.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(after).collect();
        Self { source, starts }
    }

    fn byte(&self, place: Place) -> usize {
        let line = self.starts[place.line - 1];
        let mut within = self.source[line..].char_indices();
        let at = within.nth(place.column - 1);
        at.map_or(self.source.len(), |(at, _)| line + at)
    }

    fn bytes(&self, span: Span) -> Range<usize> {
        self.byte(span.start)..self.byte(span.end)
    }
}

/// Looks for the places of mutants.
struct Finder<'a> {
    source: &'a str,
    constant: &'a BTreeSet<String>,
    /// Those without a place so far, with the bytes that they change.
    waiting: BTreeMap<usize, (Range<usize>, &'a Mutant)>,
    edits: Vec<(Range<usize>, Edit)>,
    unread: BTreeSet<usize>,
}

impl Finder<'_> {
    /// Takes those of a genre that change these bytes.
    fn take(&mut self, genre: &str, bytes: &Range<usize>) -> Vec<(usize, String)> {
        let these =
            |(changed, mutant): &(Range<usize>, &Mutant)| changed == bytes && mutant.genre == genre;
        let numbers: Vec<usize> = self
            .waiting
            .iter()
            .filter(|(_, one)| these(one))
            .map(|(number, _)| *number)
            .collect();
        numbers
            .into_iter()
            .map(|number| {
                let (_, mutant) = self.waiting.remove(&number).expect("it was there");
                (number, mutant.replacement.clone())
            })
            .collect()
    }

    /// An expression in which the mutants of a genre change some bytes.
    fn either(&mut self, genre: &str, whole: &Range<usize>, bytes: &Range<usize>) {
        let (before, after) = (
            &self.source[whole.start..bytes.start],
            &self.source[bytes.end..whole.end],
        );
        let others: Vec<(usize, String)> = self
            .take(genre, bytes)
            .into_iter()
            .map(|(number, replacement)| (number, format!("{before}{replacement}{after}")))
            .collect();
        // What cannot be read would end the compiler before it has looked at the others.
        let is_read = |(_, text): &(usize, String)| syn::parse_str::<Expr>(text).is_ok();
        let (read, unread): (Vec<_>, Vec<_>) = others.into_iter().partition(is_read);
        self.unread.extend(unread.iter().map(|(number, _)| *number));
        if !read.is_empty() {
            self.edits.push((whole.clone(), Edit::Either(read)));
        }
    }

    /// A function: what it returns, and what is within.
    fn function(
        &mut self,
        signature: &syn::Signature,
        block: &syn::Block,
        go_on: impl FnOnce(&mut Self),
    ) {
        if signature.constness.is_some() && self.constant.contains(&signature.ident.to_string()) {
            return;
        }
        let edits = self.edits.len();
        let body = block.span().byte_range();
        let inner = self
            .waiting
            .values()
            .filter(|(bytes, mutant)| {
                mutant.genre == "FnValue" && body.start <= bytes.start && bytes.end <= body.end
            })
            .map(|(bytes, _)| bytes.clone());
        // Of a function within this one, there are fewer bytes.
        let own = inner.max_by_key(Range::len);
        let first = block
            .stmts
            .first()
            .map(|statement| statement.span().byte_range());
        if let Some(bytes) = own
            && first.is_none_or(|first| bytes.start <= first.start)
        {
            let at = body.start + 1;
            for (number, value) in self.take("FnValue", &bytes) {
                let text = format!(" if {SWITCH}({number}) {{ return {value}; }}");
                self.edits.push((at..at, Edit::Before(number, text)));
            }
        }
        go_on(self);
        if let Some(keyword) = &signature.constness
            && self.edits.len() > edits
        {
            self.edits.push((keyword.span.byte_range(), Edit::Gone));
        }
    }
}

/// Whether a `let` is part of a condition that this expression is.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block, |this| {
            visit::visit_block(this, &item.block)
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block, |this| {
            visit::visit_block(this, &item.block)
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block, |this| visit::visit_block(this, block));
        }
    }

    // What is computed when it is compiled cannot ask which mutant there is to be.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_path_arguments(&mut self, _: &'ast syn::PathArguments) {}
    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        _: &'ast syn::AngleBracketedGenericArguments,
    ) {
    }
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    fn visit_expr_repeat(&mut self, expression: &'ast syn::ExprRepeat) {
        self.visit_expr(&expression.expr);
    }

    fn visit_expr_binary(&mut self, expression: &'ast syn::ExprBinary) {
        if !has_let(&expression.left) && !has_let(&expression.right) {
            let whole = expression.span().byte_range();
            self.either("BinaryOperator", &whole, &expression.op.span().byte_range());
        }
        visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'ast syn::ExprUnary) {
        if let UnOp::Not(_) | UnOp::Neg(_) = expression.op {
            let whole = expression.span().byte_range();
            self.either("UnaryOperator", &whole, &expression.op.span().byte_range());
        }
        visit::visit_expr_unary(self, expression);
    }

    fn visit_expr_struct(&mut self, expression: &'ast syn::ExprStruct) {
        let whole = expression.span().byte_range();
        for field in &expression.fields {
            let mut bytes = field.span().byte_range();
            self.either("StructField", &whole, &bytes);
            // With the comma behind it.
            let behind = &self.source[bytes.end..whole.end];
            bytes.end += behind.find(',').map_or(0, |at| at + 1);
            self.either("StructField", &whole, &bytes);
        }
        visit::visit_expr_struct(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let of_arm = arm.span().byte_range();
        let deleted = self
            .waiting
            .iter()
            .find(|(_, (bytes, mutant))| {
                mutant.genre == "MatchArm"
                    && bytes.start == of_arm.start
                    && bytes.end <= of_arm.end + 1
            })
            .map(|(number, _)| *number);
        let guard = match &arm.pat {
            syn::Pat::Guard(guarded) => Some(&*guarded.guard),
            _ => None,
        };
        if let Some(number) = deleted {
            self.waiting.remove(&number);
            if let Some(guard) = guard {
                let whole = guard.span().byte_range();
                self.edits
                    .push((whole, Edit::Either(vec![(number, String::from("false"))])));
            } else {
                let at = arm.pat.span().byte_range().end;
                self.edits.push((
                    at..at,
                    Edit::Before(number, format!(" if !{SWITCH}({number})")),
                ));
            }
        }
        if let Some(guard) = guard
            && !has_let(guard)
        {
            let whole = guard.span().byte_range();
            let genre = "MatchArmGuard";
            self.either(genre, &whole, &whole);
        }
        visit::visit_arm(self, arm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
const LIMIT: usize = 3 + 4;

// Not ASCII: ü
const fn f(x: usize) -> bool {
    x + 1 < LIMIT && !g(x)
}

fn g(x: usize) -> bool {
    match x {
        0 => true,
        y if y == 5 => false,
        _ => h::<{ 7 - 2 }>(x) || x as u8 == 3,
    }
}
";

    /// A mutant of the first such text behind another one.
    fn mutant(genre: &str, behind: &str, changed: &str, replacement: &str) -> Mutant {
        let from = SOURCE.find(behind).expect("it is there");
        let start = from + SOURCE[from..].find(changed).expect("it is there");
        let place = |at: usize| Place {
            line: SOURCE[..at].matches('\n').count() + 1,
            column: SOURCE[..at]
                .chars()
                .rev()
                .take_while(|it| *it != '\n')
                .count()
                + 1,
        };
        Mutant {
            name: String::new(),
            file: String::new(),
            genre: genre.to_owned(),
            span: Span {
                start: place(start),
                end: place(start + changed.len()),
            },
            replacement: replacement.to_owned(),
        }
    }

    fn all() -> Vec<Mutant> {
        vec![
            mutant("BinaryOperator", "LIMIT", "+", "-"),
            mutant("BinaryOperator", "x + 1", "+", "*"),
            mutant("BinaryOperator", "x + 1", "<", "<="),
            mutant("BinaryOperator", "x + 1", "&&", "||"),
            mutant("UnaryOperator", "!g", "!", ""),
            mutant("FnValue", "x + 1", "x + 1 < LIMIT && !g(x)", "true"),
            mutant("MatchArm", "0 =>", "0 => true,", ""),
            mutant("MatchArm", "y if", "y if y == 5 => false,", ""),
            mutant("MatchArmGuard", "y if", "y == 5", "true"),
            mutant("BinaryOperator", "y if", "==", "!="),
            mutant("BinaryOperator", "7 - 2", "-", "+"),
            // Angle brackets behind a type are parameters of it.
            mutant("BinaryOperator", "x as u8", "==", "<"),
        ]
    }

    fn placed(constant: &[&str]) -> Placed {
        let all = all();
        let constant = constant.iter().map(|name| String::from(*name)).collect();
        let placed = place(SOURCE, &all.iter().enumerate().collect(), &constant);
        let placed = placed.expect("it can be read");
        syn::parse_file(&placed.text).expect("what comes of it can be read");
        placed
    }

    #[test]
    fn each_has_its_place() {
        let placed = placed(&[]);
        assert_eq!(placed.left, BTreeSet::from([0, 10]));
        assert_eq!(placed.unread, BTreeSet::from([11]));
        let text = placed.text.replace(SWITCH, "is");
        let first = text
            .lines()
            .position(|line| line.contains("fn f"))
            .expect("it is there");
        assert_eq!(
            text.lines().skip(first).take(2).collect::<Vec<_>>(),
            [
                " fn f(x: usize) -> bool { if is(5) { return true; }",
                "    (if is(3) { x + 1 < LIMIT || !g(x) } else { \
                 (if is(2) { x + 1 <= LIMIT } else { (if is(1) { x * 1 } else { x + 1 }) < LIMIT }) && \
                 (if is(4) { g(x) } else { !g(x) }) })",
            ]
        );
        assert!(text.contains("        0 if !is(6) => true,\n"), "{text}");
        let guard = "y if (if is(7) { false } else { (if is(8) { true } else { (if is(9) { y != 5 } else { y == 5 }) }) })";
        assert!(text.contains(guard), "{text}");
    }

    #[test]
    fn functions_that_constants_call_are_left() {
        let placed = placed(&["f"]);
        assert_eq!(placed.left, BTreeSet::from([0, 1, 2, 3, 4, 5, 10]));
        assert!(placed.text.contains("const fn f(x: usize)"));
    }

    #[test]
    fn complaints_have_somebody_to_blame() {
        let placed = placed(&[]);
        let bytes = |text: &str| {
            let start = placed.text.find(text).expect("it is there");
            start..start + text.len()
        };
        let blamed = |text: &str| placed.blamed(&bytes(text)).into_iter().collect::<Vec<_>>();
        assert_eq!(blamed("x * 1"), [1]);
        assert_eq!(blamed("x + 1 <= LIMIT"), [2]);
        // What is right in itself, and does not fit to what stands beside it.
        assert_eq!(blamed("< LIMIT })"), [2]);
        assert_eq!(blamed("return true"), [5]);
        assert_eq!(blamed("0 if !crate::lanner_mutants::is(6) => true"), [6]);
        assert!(blamed("LIMIT: usize").is_empty());
    }
}
