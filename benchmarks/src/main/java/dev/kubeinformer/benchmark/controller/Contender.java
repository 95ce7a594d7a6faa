package dev.kubeinformer.benchmark.controller;

import java.util.List;

/**
 * Program that is measured.
 *
 * @param name its name in the table
 * @param command its command and arguments
 * @param owned whether what it writes names the right owner
 * @param restarts whether a restart is measured, too
 */
record Contender(String name, List<String> command, boolean owned, boolean restarts) {
}
