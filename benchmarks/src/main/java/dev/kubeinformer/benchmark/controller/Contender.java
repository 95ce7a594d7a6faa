package dev.kubeinformer.benchmark.controller;

import java.util.List;
import java.util.function.Function;

/**
 * Program that is measured.
 *
 * @param name its name in the table
 * @param command its command and arguments for a task
 * @param controller whether it is a controller, whose restart is measured, too, and whose
 * writes name the right owner
 * @param sharded whether it can have a share of the objects
 */
record Contender(String name, Function<Task, List<String>> command, boolean controller, boolean sharded) {
}
