/** Replicas of an application with a leader, in separate JVMs. */
@NullMarked
package dev.kubeinformer.benchmark.leader;

import org.jspecify.annotations.NullMarked;
