// Signed notes by Go's own package, for the tests of the command.
//
//	note verify VERIFIER_KEY < note    prints the text, or fails
//	note sign SIGNER_KEY < text        prints the note
package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/mod/sumdb/note"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(command, key string) error {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if command == "sign" {
		signer, err := note.NewSigner(key)
		if err != nil {
			return err
		}
		signed, err := note.Sign(&note.Note{Text: string(input)}, signer)
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(signed)
		return err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	opened, err := note.Open(input, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	_, err = io.WriteString(os.Stdout, opened.Text)
	return err
}
