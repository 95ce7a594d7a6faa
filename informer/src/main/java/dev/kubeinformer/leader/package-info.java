/**
 * Leader election with a Lease, for work that one replica of an application does at a
 * time.
 */
@NullMarked
package dev.kubeinformer.leader;

import org.jspecify.annotations.NullMarked;
