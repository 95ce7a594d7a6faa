package dev.kubeinformer.client;

import org.jspecify.annotations.Nullable;

/**
 * Description of what a client is made of, for people and for frameworks. It holds no
 * secrets.
 *
 * @param origin what names the cluster, for example
 * {@code kubeconfig '/home/me/.kube/config', context 'dev'}
 * @param url the URL of the API server, without user and parameters
 * @param namespace the namespace that a context or a service account names; {@code null}
 * if none is named
 * @param proxy the proxy that is named for the cluster, without its password;
 * {@code null} if none is named
 * @param impersonatedUser the user as whom requests are made; {@code null} if nobody is
 * named
 * @param authority the field, and the file if it names one, of the authorities that may
 * sign the API server's certificate; {@code null} for those that the JVM trusts
 * @param plugin whether a credential plugin runs, which may take its time
 * @param settings what holds the settings of the builder, as the subject of a sentence
 * @param ownTls whether the application brought TLS of its own, such as an SSL bundle
 * @param ownCertificate whether that TLS may have a client certificate
 */
public record ClientDescription(String origin, String url, @Nullable String namespace, @Nullable String proxy,
		@Nullable String impersonatedUser, @Nullable String authority, boolean plugin, String settings, boolean ownTls,
		boolean ownCertificate) {

}
