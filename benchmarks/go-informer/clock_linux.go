package main

import "golang.org/x/sys/unix"

// clock is the monotonic clock that all processes of a machine share, as Java's System.nanoTime() on Linux.
func clock() int64 {
	var now unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_MONOTONIC, &now))
	return now.Nano()
}
