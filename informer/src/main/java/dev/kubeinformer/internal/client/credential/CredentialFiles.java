package dev.kubeinformer.internal.client.credential;

import java.nio.file.Path;
import java.util.List;

/**
 * Files with a token, or with a client certificate and its key.
 */
interface CredentialFiles {

	/**
	 * Returns the files.
	 * @return the paths, each once
	 */
	List<Path> paths();

	/**
	 * Reads the files.
	 * @return the token, or the client certificate with its key
	 * @throws dev.kubeinformer.types.ClientConfigurationException if a file cannot be
	 * read, or if they do not belong together
	 */
	Credential read();

}
