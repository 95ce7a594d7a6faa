/**
 * What is done by the leader among the replicas of an application alone: its events, and
 * the methods that only it enters.
 */
@NullMarked
package dev.kubeinformer.spring.leader;

import org.jspecify.annotations.NullMarked;
