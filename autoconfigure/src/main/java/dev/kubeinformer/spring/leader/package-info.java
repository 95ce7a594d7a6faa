/**
 * Leader election: its application events, and methods that only the leader runs.
 */
@NullMarked
package dev.kubeinformer.spring.leader;

import org.jspecify.annotations.NullMarked;
