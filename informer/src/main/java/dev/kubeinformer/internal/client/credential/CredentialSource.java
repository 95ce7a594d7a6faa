package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Provides the header of a client's requests, the client certificate, or both. This is
 * its part of the client's credential. Thread-safe.
 */
interface CredentialSource extends AutoCloseable {

	/**
	 * Returns the header or certificate that was last read or fetched.
	 * @return the part of the credential; {@code null} before the first fetch
	 */
	@Nullable Credential latest();

	/**
	 * Returns the header or certificate for the next request.
	 * @param cancelled returns whether the caller has stopped waiting
	 * @return the part of the credential
	 * @throws IOException if the part cannot be obtained
	 */
	Credential current(BooleanSupplier cancelled) throws IOException;

	/**
	 * Reads or fetches the header or certificate again, because the API server has
	 * rejected it.
	 * @param refused the rejected part of the credential
	 * @param cancelled returns whether the caller has stopped waiting
	 * @return the new part; the rejected part if there is no other one
	 * @throws IOException if the caller stopped waiting, or waited too long
	 */
	Credential after(Credential refused, BooleanSupplier cancelled) throws IOException;

	/**
	 * Renews the header or certificate in the background if the renewal is due.
	 * @return the time until the next call; {@code null} if only requests cause a renewal
	 */
	default @Nullable Duration tend() {
		return null;
	}

	/**
	 * Returns whether {@link #tend()} must be called even if there is no request.
	 * @return {@code true} if the source is renewed in the background
	 */
	default boolean isTended() {
		return false;
	}

	/**
	 * Returns whether the first read or fetch may take several seconds.
	 * @return {@code true} if a plugin or another server provides the credential
	 */
	default boolean isSlow() {
		return false;
	}

	@Override
	default void close() {
		// Most sources have nothing to close.
	}

}
