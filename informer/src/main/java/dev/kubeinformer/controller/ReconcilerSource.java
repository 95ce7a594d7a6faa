package dev.kubeinformer.controller;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;

/**
 * Source of a reconciler at one moment: a cache that must be filled before its runs
 * begin.
 *
 * @param informer the id of the informer
 * @param resource the resource, as {@code plural[.group]}
 * @param role the role of the source for the reconciler
 * @param state the state of the informer
 * @param since the time at which that state began
 * @param synced {@code true} if the cache is filled
 * @param error the last problem, in the words of the informer's status; {@code null} if
 * there was none
 * @param requiredRbac the missing RBAC rule; {@code null} if none is known to be missing
 */
public record ReconcilerSource(String informer, String resource, Role role, InformerState state, Instant since,
		boolean synced, @Nullable String error, @Nullable String requiredRbac) {

	/** Role of a source for a reconciler. */
	public enum Role {

		/** Source of the primaries. */
		PRIMARY,

		/** Source of objects that primaries own. */
		OWNED,

		/** Source of objects that are mapped to keys of primaries. */
		WATCHED

	}

}
