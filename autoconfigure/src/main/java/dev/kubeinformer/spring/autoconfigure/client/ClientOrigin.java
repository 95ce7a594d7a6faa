package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.ManagedApiClient;

/**
 * What says how a client is made, for messages about it. Internal to the starter.
 */
public enum ClientOrigin {

	/** Properties of the starter. */
	PROPERTIES,

	/** Connection details, in whose place no property comes. */
	DETAILS,

	/** The application, which made the client itself. */
	APPLICATION;

	static final String CONNECTION_DETAILS = "The connection details";

	static final String CONFIGURATION = "The configuration '%s'";

	private static final String CONFIGURED = CONFIGURATION.formatted("kubernetes.").replaceFirst("'$", "");

	/**
	 * Finds what a client was made of. One of the application may be of the same type as
	 * those of the starter.
	 * @param client the client; {@code null} if there is none yet
	 * @return what it was made of
	 */
	public static ClientOrigin of(@Nullable ApiClient client) {
		if (client == null) {
			return PROPERTIES;
		}
		String settings = (client instanceof ManagedApiClient managed) ? managed.description().settings() : "";
		if (settings.equals(CONNECTION_DETAILS)) {
			return DETAILS;
		}
		return settings.startsWith(CONFIGURED) ? PROPERTIES : APPLICATION;
	}

}
