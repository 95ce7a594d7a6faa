package dev.kubeinformer.client;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Values of the current context of a kubeconfig. Only values that the kubeconfig itself
 * contains are included: other files are not read, and plugins are not run.
 * {@code toString()} does not show the values.
 *
 * @param url the URL of the API server
 * @param certificateAuthority the certificate authorities in PEM; {@code null} for none
 * @param tlsServerName the name that the certificate of the API server must have;
 * {@code null} for the host of the URL
 * @param clientCertificate the client certificate in PEM; {@code null} for none
 * @param clientKey the key of the client certificate in PEM; {@code null} for none
 * @param token the bearer token; {@code null} for none
 * @param namespace the namespace; {@code null} if none is set
 */
public record KubeconfigValues(String url, @Nullable String certificateAuthority, @Nullable String tlsServerName,
		@Nullable String clientCertificate, @Nullable String clientKey, @Nullable String token,
		@Nullable String namespace) {

	/**
	 * Reads a kubeconfig.
	 * @param yaml the text of the kubeconfig
	 * @param place the name of the kubeconfig at the start of messages, such as {@code
	 * The kubeconfig}
	 * @return the values
	 * @throws ClientConfigurationException if the text is not a kubeconfig; the message
	 * does not quote it
	 */
	public static KubeconfigValues of(String yaml, String place) {
		ClusterAccess access = Kubeconfigs.parse(yaml, place);
		return new KubeconfigValues(access.server().url(), inline(access.server().authority()),
				access.server().tlsServerName(), inline(access.user().certificate()), inline(access.user().key()),
				access.user().token(), access.namespace());
	}

	private static @Nullable String inline(@Nullable Content content) {
		return (content instanceof Content.Inline inline) ? inline.text() : null;
	}

	/**
	 * Returns a text without the values.
	 */
	@Override
	public String toString() {
		return "KubeconfigValues";
	}

}
