package dev.kubeinformer.client;

import org.jspecify.annotations.Nullable;

/**
 * Description of a client's configuration, for logs and frameworks. It does not contain
 * secrets.
 *
 * @param origin the source of the configuration, for example
 * {@code kubeconfig '/home/me/.kube/config', context 'dev'}
 * @param url the URL of the API server, without user and parameters
 * @param namespace the namespace of the context or the service account; {@code null} if
 * none is set
 * @param proxy the proxy for the cluster, without its password; {@code null} if none is
 * set
 * @param impersonatedUser the user that requests impersonate; {@code null} if none is set
 * @param authority the name of the field with the certificate authorities of the API
 * server, and their file if there is one; {@code null} for the authorities of the JVM
 * @param plugin {@code true} if the client runs a credential plugin or uses an auth
 * provider, which can be slow
 * @param settings the name of the builder's settings in messages, as the subject of a
 * sentence
 * @param ownTls {@code true} if the application sets TLS itself, such as with an SSL
 * bundle
 * @param ownCertificate {@code true} if the TLS of the application may include a client
 * certificate
 */
public record ClientDescription(String origin, String url, @Nullable String namespace, @Nullable String proxy,
		@Nullable String impersonatedUser, @Nullable String authority, boolean plugin, String settings, boolean ownTls,
		boolean ownCertificate) {

}
