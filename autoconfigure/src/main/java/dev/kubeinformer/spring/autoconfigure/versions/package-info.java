/**
 * Check of the versions of libraries at the start, and the failure analysis of versions
 * that do not fit together. Internal to the starter.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.versions;

import org.jspecify.annotations.NullMarked;
