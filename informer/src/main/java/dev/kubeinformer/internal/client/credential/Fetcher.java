package dev.kubeinformer.internal.client.credential;

import java.io.IOException;

/**
 * Fetches one part of a credential from a plugin or another server. Never called
 * concurrently.
 */
interface Fetcher extends AutoCloseable {

	/**
	 * Returns the name of the plugin or server, for messages.
	 * @return the noun of a sentence
	 */
	String name();

	/**
	 * Fetches the part. An interrupt or {@link #close()} ends it.
	 * @return the part
	 * @throws IOException if it cannot be fetched; the message has the reason without
	 * secrets
	 */
	Credential fetch() throws IOException;

	@Override
	void close();

}
