// Package counts has what a program has done so far, and answers for it on the standard output.
package counts

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// Counts are what a program has done so far.
type Counts struct {
	reconciles atomic.Int64
	failures   atomic.Int64
	writes     atomic.Int64
	lastWrite  atomic.Int64
}

// Reconciled counts a run that ended.
func (c *Counts) Reconciled() {
	c.reconciles.Add(1)
}

// Failed counts a run that failed, and returns how many did.
func (c *Counts) Failed() int64 {
	return c.failures.Add(1)
}

// Written counts a write that the server answered.
func (c *Counts) Written() {
	c.writes.Add(1)
	c.lastWrite.Store(time.Now().UnixMilli())
}

// Answer answers lines of the standard input until it ends.
func (c *Counts) Answer() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var heap uint64
		if lines.Text() == "report" {
			runtime.GC()
			runtime.GC()
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			heap = memory.HeapAlloc
		}
		fmt.Printf("STATUS {\"reconciles\": %d, \"failures\": %d, \"writes\": %d, \"lastWrite\": %d, \"heap\": %d}\n",
			c.reconciles.Load(), c.failures.Load(), c.writes.Load(), c.lastWrite.Load(), heap)
	}
}
