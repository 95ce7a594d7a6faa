package dev.kubeinformer.internal.client.credential;

import java.io.IOException;

/**
 * Fetches one part of a credential from a plugin or another server. It is never called by
 * two threads at the same time.
 */
interface Fetcher extends AutoCloseable {

	/**
	 * Returns what is asked, for messages.
	 * @return the noun of a sentence
	 */
	String name();

	/**
	 * Fetches the part. An interrupt or {@link #close()} ends it.
	 * @return the part
	 * @throws IOException if it cannot be fetched; the message says why, without secrets
	 */
	Credential fetch() throws IOException;

	@Override
	void close();

}
