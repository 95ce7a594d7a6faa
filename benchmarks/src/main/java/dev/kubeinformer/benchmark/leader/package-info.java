/**
 * Replicas of an application with a leader, in JVMs of their own.
 */
@NullMarked
package dev.kubeinformer.benchmark.leader;

import org.jspecify.annotations.NullMarked;
