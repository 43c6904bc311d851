//! What GitHub runs, held to what nobody sees before a release: nothing here runs its expressions.

use crate::pages::{committed, read};

/// The values that GitHub's expressions take for false: where one stands in the middle, `A && FALSE || B` is always B.
const FALSE: [&str; 5] = ["''", "0", "-0", "false", "null"];

/// The expressions of a workflow or an action: between `${{` and `}}`, and behind `if:`, which needs no marks.
fn expressions(text: &str) -> impl Iterator<Item = &str> {
    let marked = text.split("${{").skip(1);
    let marked = marked.filter_map(|rest| Some(rest.split_once("}}")?.0));
    let conditions = text
        .lines()
        .filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("if:"));
    marked.chain(conditions)
}

/// The operand of an expression that is chosen and never taken.
fn never_taken(expression: &str) -> Option<&str> {
    let behind = expression.split("&&").skip(1);
    let middles = behind.filter_map(|rest| Some(rest.split_once("||")?.0));
    middles
        .map(|middle| middle.trim_matches([' ', '(', ')']))
        .find(|middle| FALSE.contains(middle))
}

/// The steps of a workflow: each from its dash on.
fn steps(text: &str) -> impl Iterator<Item = &str> {
    let (_, steps) = text.split_once("steps:").unwrap_or_default();
    steps.split("\n      - ").skip(1)
}

/// Of a step that publishes: whether it does so because a tag was pushed. A tag can be chosen by hand, too.
fn asks_for_a_push(step: &str) -> Option<bool> {
    let by_hand = "DRY: ${{ github.event_name != 'push' && '--dry-run' || '' }}\n";
    let mut commands = step.lines().filter(|line| line.contains(" publish "));
    if step.contains("uses: pypa/gh-action-pypi-publish@") {
        Some(step.contains("if: github.event_name == 'push'\n"))
    } else {
        let command = commands.next()?;
        Some(step.contains(by_hand) && command.ends_with(" $DRY") && commands.next().is_none())
    }
}

#[test]
fn no_expression_chooses_what_it_never_takes() {
    let files = committed().expect("git lists them");
    let files = files.iter().filter(|name| {
        name.starts_with(".github/") && name.ends_with(".yml") || *name == "action.yml"
    });
    let mut number = 0;
    for name in files {
        let text = read(name).expect("it is there");
        for expression in expressions(&text) {
            assert_eq!(never_taken(expression), None, "{name}: {expression}");
            number += 1;
        }
    }
    assert!(number > 15, "{number} expressions");
    for wrong in [
        "a: ${{ b == 'c' && '' || '--dry-run' }}",
        "a: d${{ b && (false) || c }}",
        "- if: b && c && 0 || d",
    ] {
        assert!(
            expressions(wrong).any(|one| never_taken(one).is_some()),
            "{wrong}"
        );
    }
    let right = "${{ b && '--dry-run' || '' }} ${{ b && c }}\nrun: test -f b && false || c";
    assert!(expressions(right).all(|one| never_taken(one).is_none()));
}

#[test]
fn by_hand_nothing_is_published() {
    let mut published = 0;
    for name in ["npm", "python"] {
        let text = read(&format!(".github/workflows/{name}.yml")).expect("it is there");
        for step in steps(&text) {
            let asks = asks_for_a_push(step);
            assert_ne!(asks, Some(false), "{name}: {step}");
            published += usize::from(asks.is_some());
        }
        assert!(!text.contains("ref_type"), "{name} asks for a tag alone");
    }
    assert_eq!(published, 3);
    for wrong in [
        "run: npm publish a.tgz --access public\n",
        "env:\n  DRY: ${{ '' }}\nrun: npm publish a.tgz $DRY\n",
        "if: github.ref_type == 'tag'\nuses: pypa/gh-action-pypi-publish@release/v1\n",
    ] {
        assert_eq!(asks_for_a_push(wrong), Some(false), "{wrong}");
    }
}

/// What is published is what was signed: before it goes to npm and PyPI, it is held against the list of the release.
#[test]
fn what_is_published_is_what_the_list_has() {
    let compares = |step: &str| {
        step.contains("if: github.event_name == 'push'\n")
            && step.contains("gh release download \"$GITHUB_REF_NAME\"")
            && step.lines().any(|line| {
                line == "          sha256sum --check --ignore-missing ../listed/SHA256SUMS"
            })
    };
    for name in ["npm", "python"] {
        let text = read(&format!(".github/workflows/{name}.yml")).expect("it is there");
        let compared = steps(&text).position(compares);
        let published = steps(&text).position(|step| asks_for_a_push(step).is_some());
        assert!(compared.is_some() && compared < published, "{name}");
    }
}

/// Another maturin may pack another archive of sources than the one that is signed.
#[test]
fn python_is_packed_by_the_maturin_of_the_tests() {
    let list = read("python/tests/requirements.txt").expect("it is there");
    let mut versions = list
        .lines()
        .filter_map(|line| line.strip_prefix("maturin=="));
    let version = versions.next().expect("it is listed");
    let workflow = read(".github/workflows/python.yml").expect("it is there");
    let mut number = 0;
    for step in steps(&workflow).filter(|step| step.contains("uses: PyO3/maturin-action@")) {
        let asked = format!("maturin-version: v{version}");
        let ends = |rest: &str| rest.starts_with([' ', '\n']);
        assert!(
            step.split_once(&asked).is_some_and(|(_, rest)| ends(rest)),
            "{step}"
        );
        number += 1;
    }
    assert_eq!(number, 2);
}
