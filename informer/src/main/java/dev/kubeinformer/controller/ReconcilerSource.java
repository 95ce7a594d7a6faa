package dev.kubeinformer.controller;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;

/**
 * Source of a reconciler at one moment: a cache that its runs wait for.
 *
 * @param informer the id of the informer
 * @param resource the resource, as {@code plural[.group]}
 * @param role why the reconciler has it
 * @param state the state of the informer
 * @param since when it reached that state
 * @param synced whether its cache is filled
 * @param error what went wrong last, in the words of the informer's status; {@code null}
 * if nothing did
 * @param requiredRbac the RBAC rule that is missing; {@code null} if none is known to be
 */
public record ReconcilerSource(String informer, String resource, Role role, InformerState state, Instant since,
		boolean synced, @Nullable String error, @Nullable String requiredRbac) {

	/**
	 * Why a reconciler has a source.
	 */
	public enum Role {

		/** Its objects are reconciled. */
		PRIMARY,

		/** Its objects are owned by primaries. */
		OWNED,

		/** Its objects are mapped to keys of primaries. */
		WATCHED

	}

}
