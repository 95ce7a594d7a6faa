package dev.kubeinformer.benchmark.controller;

import java.util.List;
import java.util.function.Function;

/**
 * Measured program.
 *
 * @param name the name in the table
 * @param command its command and arguments for a task
 * @param controller whether it is a controller: its restart is measured, too, and its
 * writes set the right owner
 * @param sharded whether it supports shards
 */
record Contender(String name, Function<Task, List<String>> command, boolean controller, boolean sharded) {
}
