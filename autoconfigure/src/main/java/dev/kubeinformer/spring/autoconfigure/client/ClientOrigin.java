package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.ManagedApiClient;

/**
 * Origin of a client's configuration, for messages. Internal to the starter.
 */
public enum ClientOrigin {

	/** Properties of the starter. */
	PROPERTIES,

	/** Connection details, which replace all properties. */
	DETAILS,

	/** Application, which created the client itself. */
	APPLICATION;

	static final String CONNECTION_DETAILS = "The connection details";

	static final String CONFIGURATION = "The configuration '%s'";

	private static final String CONFIGURED = CONFIGURATION.formatted("kubernetes.").replaceFirst("'$", "");

	/**
	 * Finds the origin of a client. A client of the application may have the same type as the starter's clients.
	 * @param client the client; {@code null} if it does not exist yet
	 * @return the origin
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
