package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Provides one part of a client's credential: the header, the client certificate, or
 * both. Thread-safe.
 */
interface CredentialSource extends AutoCloseable {

	/**
	 * Returns the last part that was read or fetched.
	 * @return the part; {@code null} before the first fetch
	 */
	@Nullable Credential latest();

	/**
	 * Returns the part for the next request.
	 * @param cancelled whether the caller stopped waiting
	 * @return the part
	 * @throws IOException if the part cannot be obtained
	 */
	Credential current(BooleanSupplier cancelled) throws IOException;

	/**
	 * Reads or fetches the part again after the API server rejected it.
	 * @param refused the rejected part
	 * @param cancelled whether the caller stopped waiting
	 * @return the part; the rejected part if there is no other one
	 * @throws IOException if the caller stopped waiting, or waited too long
	 */
	Credential after(Credential refused, BooleanSupplier cancelled) throws IOException;

	/**
	 * Renews the part in the background if it is due.
	 * @return the time until the next call; {@code null} if the part is only renewed for
	 * requests
	 */
	default @Nullable Duration tend() {
		return null;
	}

	/**
	 * Returns whether the part must be renewed even if there is no request.
	 * @return {@code true} if {@link #tend()} must be called
	 */
	default boolean isTended() {
		return false;
	}

	/**
	 * Returns whether it may take several seconds to obtain the part for the first time.
	 * @return {@code true} if a plugin or another server provides it
	 */
	default boolean isSlow() {
		return false;
	}

	@Override
	default void close() {
		// Most sources have nothing to close.
	}

}
