/**
 * Auto-configuration for leader election.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.leader;

import org.jspecify.annotations.NullMarked;
