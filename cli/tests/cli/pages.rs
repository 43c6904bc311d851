//! Manual pages and completions: that they are made, and that the programs that read them find nothing wrong.

use crate::harness::*;
use crate::tools::{have, script, try_script};

#[path = "../../examples/pages/generate.rs"]
mod generate;

#[test]
fn pages_and_completions() {
    let place = Place::new();
    generate::all(place.root()).unwrap();
    for page in [
        "lanner",
        "lanner-sign",
        "lanner-verify-tree",
        "lanner-doctor",
        "lanner-git",
    ] {
        let text = String::from_utf8(place.read(&format!("man/man1/{page}.1"))).unwrap();
        assert!(
            text.contains(".TH") && text.contains("Exit codes"),
            "{page}"
        );
    }
    let shells = [
        "completions/lanner.bash",
        "completions/_lanner",
        "completions/lanner.fish",
    ];
    for file in shells {
        let text = String::from_utf8(place.read(file)).unwrap();
        for word in ["verify-tree", "policy-key", "fn-dsa-1024", "quiet"] {
            assert!(text.contains(word), "{file} does not know {word}");
        }
    }
    if have("bash", "the completions of bash") {
        let said = script(
            &place,
            "bash -ec '. completions/lanner.bash; COMP_WORDS=(lanner sign-t); COMP_CWORD=1
             _lanner lanner sign-t lanner; echo \"${COMPREPLY[@]}\"'",
        );
        assert_eq!(said.trim(), "sign-tree");
    }
    for (program, check) in [
        ("zsh", "zsh -n completions/_lanner"),
        ("fish", "fish --no-execute completions/lanner.fish"),
        (
            "groff",
            "for page in man/man1/*.1; do groff -man -Tutf8 -ww -z $page; done",
        ),
    ] {
        if have(program, check) {
            let (code, said) = try_script(&place, check);
            assert_eq!((code, said.as_str()), (Some(0), ""), "{program}");
        }
    }
}

/// The line that an interactive zsh has after a tab: zsh completes at a terminal alone, so another zsh gives it one.
const ZSH: &str = r#"
cat > inner.zsh <<'END'
fpath=($PWD/completions $fpath)
autoload -Uz compinit
compinit -D -u
show() { print -r -- "$BUFFER" > said.part; mv said.part said }
zle -N show
bindkey '^X' show
END
cat > outer.zsh <<'END'
zmodload zsh/zpty
zpty -b inner zsh -f -i
appears() { repeat 600; do [[ -e $1 ]] && return; sleep 0.05; done; exit 1 }
zpty -w inner '. ./inner.zsh; : > ready'
appears ready
zpty -wn inner "$LINE"$'\t\x18'
appears said
zpty -d inner
cat said
END
rm -f ready said
zsh -f outer.zsh
"#;

/// zsh and fish themselves complete commands, options and values.
#[test]
fn completions_complete() {
    let place = Place::new();
    generate::all(place.root()).unwrap();
    let cases = [
        ("lanner sign-t", "sign-tree"),
        ("lanner verify --policy-k", "--policy-key"),
        ("lanner keygen --alg x25", "x25519"),
    ];
    if have("zsh", "the completions of zsh") {
        for (line, word) in cases {
            let said = script(&place, &format!("export LINE='{line}' TERM=dumb\n{ZSH}"));
            // zsh puts a sign of equality behind an option that takes a value.
            let last = said.split_whitespace().last();
            assert_eq!(
                last.map(|last| last.trim_end_matches('=')),
                Some(word),
                "{line}: {said}"
            );
        }
    }
    if have("fish", "the completions of fish") {
        for (line, word) in cases {
            let said = script(
                &place,
                &format!("fish --no-config -c '. completions/lanner.fish; complete -C \"{line}\"'"),
            );
            let words: Vec<_> = said.lines().filter_map(|l| l.split('\t').next()).collect();
            assert_eq!(words, [word], "{line}: {said}");
        }
    }
}
