package dev.kubeinformer.internal.client.credential;

import java.io.IOException;

/**
 * Fetches a credential from a plugin or another server. Never called concurrently.
 */
interface Fetcher extends AutoCloseable {

	/**
	 * Returns the name of the plugin or server, for messages.
	 * @return the name, as a noun within a sentence
	 */
	String name();

	/**
	 * Fetches the credential. An interrupt or {@link #close()} ends the fetch.
	 * @return the credential
	 * @throws IOException if it cannot be fetched; the message has the reason without
	 * secrets
	 */
	Credential fetch() throws IOException;

	@Override
	void close();

}
