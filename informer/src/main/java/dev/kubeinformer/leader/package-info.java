/**
 * Leader election by a Lease: what is done once across the replicas of an application.
 */
@NullMarked
package dev.kubeinformer.leader;

import org.jspecify.annotations.NullMarked;
