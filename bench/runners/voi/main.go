// Command runner-voi serves curve25519-voi to the benchmark; bench/kit/src/serve.rs has the protocol.
//
// Verification follows the rule of ZIP 215 throughout.
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/oasisprotocol/curve25519-voi/primitives/ed25519"
	"github.com/oasisprotocol/curve25519-voi/primitives/x25519"
)

// Single operations go through so many entries of the pool.
const singles = 128

// entry is one entry of the pool file.
type entry struct {
	seed, public, signature, peer, shared, message []byte
}

func readPool(name string) ([]entry, error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(file) < 8 {
		return nil, errors.New("the pool lacks its head")
	}
	count := int(binary.LittleEndian.Uint32(file))
	message := int(binary.LittleEndian.Uint32(file[4:]))
	file = file[8:]
	if count < singles || len(file) != count*(192+message) {
		return nil, errors.New("the pool's length is not what its head says")
	}
	take := func(n int) []byte {
		part := file[:n:n]
		file = file[n:]
		return part
	}
	pool := make([]entry, count)
	for i := range pool {
		pool[i] = entry{take(32), take(32), take(64), take(32), take(32), take(message)}
	}
	return pool, nil
}

// operation runs a task so many times and panics on a wrong result.
type operation func(times int)

func require(right bool) {
	if !right {
		panic("a wrong result")
	}
}

func each(do func(i int)) operation {
	next := 0
	return func(times int) {
		for ; times > 0; times-- {
			do(next)
			next = (next + 1) % singles
		}
	}
}

func runs(size, entries int, do func(from, to int)) operation {
	start := 0
	return func(times int) {
		for ; times > 0; times-- {
			do(start, start+size)
			start = (start + size) % (entries - size + 1)
		}
	}
}

var zip215 = &ed25519.Options{Verify: ed25519.VerifyOptionsZIP_215}

func expand(public []byte) *ed25519.ExpandedPublicKey {
	key, err := ed25519.NewExpandedPublicKey(public)
	require(err == nil)
	return key
}

// prepare makes a task ready, or returns nil where there is none of that name.
func prepare(task string, pool []entry) operation {
	switch task {
	case "keygen":
		return each(func(i int) {
			key := ed25519.NewKeyFromSeed(pool[i].seed)
			require(bytes.Equal(key[32:], pool[i].public))
		})
	case "sign":
		keys := make([]ed25519.PrivateKey, len(pool))
		for i := range keys {
			keys[i] = ed25519.NewKeyFromSeed(pool[i].seed)
		}
		return each(func(i int) {
			require(bytes.Equal(ed25519.Sign(keys[i], pool[i].message), pool[i].signature))
		})
	case "verify":
		return each(func(i int) {
			e := &pool[i]
			require(ed25519.VerifyWithOptions(e.public, e.message, e.signature, zip215))
		})
	case "verify-decoded":
		keys := make([]*ed25519.ExpandedPublicKey, len(pool))
		for i := range keys {
			keys[i] = expand(pool[i].public)
		}
		return each(func(i int) {
			e := &pool[i]
			require(ed25519.VerifyExpandedWithOptions(keys[i], e.message, e.signature, zip215))
		})
	case "x25519-base":
		var last [32]byte
		return each(func(i int) {
			var secret, public [32]byte
			copy(secret[:], pool[i].seed)
			x25519.ScalarBaseMult(&public, &secret)
			require(public != last)
			last = public
		})
	case "x25519":
		return each(func(i int) {
			shared, err := x25519.X25519(pool[i].seed, pool[i].peer)
			require(err == nil && bytes.Equal(shared, pool[i].shared))
		})
	}
	return prepareBatch(task, pool)
}

func prepareBatch(task string, pool []entry) operation {
	rest, isBatch := strings.CutPrefix(task, "batch-")
	rest, decoded := strings.CutSuffix(rest, "-decoded")
	rest, isZip215 := strings.CutSuffix(rest, "-zip215")
	size, err := strconv.Atoi(rest)
	if !isBatch || !isZip215 || err != nil || size > len(pool) {
		return nil
	}
	if !decoded {
		return runs(size, len(pool), func(from, to int) {
			batch := ed25519.NewBatchVerifierWithCapacity(size)
			for i := from; i < to; i++ {
				e := &pool[i]
				batch.AddWithOptions(e.public, e.message, e.signature, zip215)
			}
			require(batch.VerifyBatchOnly(rand.Reader))
		})
	}
	keys := make([]*ed25519.ExpandedPublicKey, len(pool))
	for i := range keys {
		keys[i] = expand(pool[i].public)
	}
	return runs(size, len(pool), func(from, to int) {
		batch := ed25519.NewBatchVerifierWithCapacity(size)
		for i := from; i < to; i++ {
			batch.AddExpandedWithOptions(keys[i], pool[i].message, pool[i].signature, zip215)
		}
		require(batch.VerifyBatchOnly(rand.Reader))
	})
}

// accepts runs a task once over a pool; what a row takes for a wrong result is the answer here.
func accepts(task string, pool []entry) (valid bool) {
	defer func() { valid = recover() == nil }()
	prepare(task, pool)(1)
	return
}

// judge prints the verdicts on the cases of another pool.
func judge(task, name string) error {
	pool, err := readPool(name)
	if err != nil {
		return err
	}
	size := 1
	if rest, isBatch := strings.CutPrefix(task, "batch-"); isBatch {
		number, _, _ := strings.Cut(rest, "-")
		if size, err = strconv.Atoi(number); err != nil {
			return err
		}
	}
	verdicts := strings.Builder{}
	for i := 0; i+size <= len(pool); i += size {
		letter := byte('0')
		if accepts(task, pool[i:i+size]) {
			letter = '1'
		}
		verdicts.WriteByte(letter)
	}
	fmt.Println(verdicts.String())
	return nil
}

func serve(pool []entry) error {
	operations := make(map[string]operation)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) < 2 {
			return fmt.Errorf("cannot understand '%s'", lines.Text())
		}
		task := words[1]
		if _, known := operations[task]; !known {
			operations[task] = prepare(task, pool)
		}
		do := operations[task]
		switch {
		case words[0] == "has" && do == nil:
			fmt.Println("no")
		case words[0] == "has":
			fmt.Println("yes")
		case words[0] == "run" && len(words) == 3 && do != nil:
			times, err := strconv.Atoi(words[2])
			if err != nil {
				return err
			}
			do(1)
			begin := time.Now()
			do(times)
			fmt.Println(time.Since(begin).Nanoseconds())
		case words[0] == "judge" && len(words) == 3 && do != nil:
			if err := judge(task, words[2]); err != nil {
				return err
			}
		default:
			return fmt.Errorf("cannot understand '%s'", lines.Text())
		}
	}
	return lines.Err()
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: runner-voi POOL")
		os.Exit(1)
	}
	pool, err := readPool(os.Args[1])
	if err == nil {
		err = serve(pool)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "runner-voi:", err)
		os.Exit(1)
	}
}
