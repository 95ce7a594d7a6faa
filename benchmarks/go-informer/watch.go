package main

import (
	"fmt"
	"io"
	"net/http"
	"sort"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
)

// The annotation in which the server of the harness notes when a change was due.
const stamp = "bench/t"

// After so long without an event nothing is expected any more.
const stall = 20 * time.Second

// control is the orders that the server of the harness takes.
type control string

func (c control) call(order string) string {
	answer, err := http.Get(string(c) + "/bench/" + order)
	check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	check(err)
	return string(body)
}

func (c control) number(order string) int64 {
	number, err := strconv.ParseInt(c.call(order), 10, 64)
	check(err)
	return number
}

// latencies are the nanoseconds from when changes were due until they were delivered.
type latencies struct {
	lock      sync.Mutex
	recording bool
	values    []int64
	latest    int64
}

func (l *latencies) take(object any) {
	now := clock()
	accessor, err := meta.Accessor(object)
	check(err)
	text, stamped := accessor.GetAnnotations()[stamp]
	if !stamped {
		return
	}
	due, err := strconv.ParseInt(text, 10, 64)
	check(err)
	l.lock.Lock()
	defer l.lock.Unlock()
	l.latest = max(l.latest, due)
	if l.recording {
		l.values = append(l.values, now-due)
	}
}

func (l *latencies) record(on bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.recording = on
}

func (l *latencies) delivered(due int64) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.latest >= due
}

// quantile is the milliseconds that a share of the events does not exceed.
func (l *latencies) quantile(share float64) float64 {
	l.lock.Lock()
	defer l.lock.Unlock()
	if len(l.values) == 0 {
		return 0
	}
	sort.Slice(l.values, func(i, j int) bool { return l.values[i] < l.values[j] })
	rank := min(int(share*float64(len(l.values))), len(l.values)-1)
	return float64(l.values[rank]) / 1e6
}

// watch measures changes at a rate, and ends when the last one was delivered.
func watch(server control, rate int, warmUp, window time.Duration, known *known) map[string]any {
	for server.call("watched") != "true" {
		time.Sleep(time.Millisecond)
	}
	server.call(fmt.Sprintf("rate?perSecond=%d", rate))
	time.Sleep(warmUp)
	sent, events, begin := server.number("sent"), known.events.Load(), time.Now()
	before, _ := usage()
	known.latencies.record(true)
	time.Sleep(window)
	after, _ := usage()
	known.latencies.record(false)
	delivered := known.events.Load() - events
	seconds := time.Since(begin).Seconds()
	values := map[string]any{"sent": float64(server.number("sent")-sent) / seconds,
		"events": float64(delivered) / seconds, "p50": known.latencies.quantile(0.5),
		"p99": known.latencies.quantile(0.99), "max": known.latencies.quantile(1),
		"cpuEvent": (after - before) * 1e6 / float64(max(delivered, 1))}
	server.call("rate?perSecond=0")
	settle(server, known)
	return values
}

func settle(server control, known *known) {
	for last := int64(-1); last != server.number("last"); {
		last = server.number("last")
		seen, since := known.events.Load(), time.Now()
		for !known.latencies.delivered(last) && time.Since(since) < stall {
			time.Sleep(time.Millisecond)
			if now := known.events.Load(); now != seen {
				seen, since = now, time.Now()
			}
		}
		known.awaitQuiet()
	}
}
