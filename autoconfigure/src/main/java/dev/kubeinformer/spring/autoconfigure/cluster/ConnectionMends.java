package dev.kubeinformer.spring.autoconfigure.cluster;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.ClientDescription;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.autoconfigure.client.ClientOrigin;

/**
 * Remedies for connection problems, in terms of the settings of the client. If the
 * application or connection details have configured the client, properties do not affect
 * it, so the remedies name other settings.
 *
 * @param prefix the prefix of the properties of the client
 * @param origin the origin of the client
 * @param client the client; {@code null} if it is unknown, or created by the official
 * library
 */
record ConnectionMends(String prefix, ClientOrigin origin, @Nullable ClientDescription client) {

	private static final String DETAILS = "the KubernetesConnectionDetails bean";

	private static final String OWN = "the application's ApiClient";

	private static final String BUILDER = "the builder of " + OWN;

	static ConnectionMends of(String prefix, @Nullable ApiClient client) {
		return new ConnectionMends(prefix, ClientOrigin.of(client),
				(client instanceof ManagedApiClient managed) ? managed.description() : null);
	}

	/**
	 * Returns the remedy for a problem of the connection.
	 * @param reason the reason of the problem
	 * @return the remedy; {@code null} if no remedy is known for the reason
	 */
	@Nullable String of(String reason) {
		return switch (reason) {
			case "CertificateNotTrusted" -> untrusted();
			case "AuthorityExpired" -> expired();
			case "CertificateForAnotherName" -> otherName();
			case "ServerNameUnknown" -> unknownName();
			case "ClientCertificateRequired", "ClientCertificateRefused" ->
				"Provide a client certificate that the server accepts: %s.".formatted(certificate());
			case "TlsExpected" -> "Begin %s with https://.".formatted(url());
			case "TlsNotSpoken" ->
				"Correct the port of %s, or begin it with http:// if it is that of a proxy on this machine."
					.formatted(url());
			default -> null;
		};
	}

	private String untrusted() {
		if (this.client != null && this.client.authority() != null) {
			return "No authority in %s has signed the certificate of the Kubernetes API at %s. "
				.formatted(this.client.authority(), this.client.url())
					+ "Put the authority of this API server there; a file is read again when it changes. "
					+ "If a proxy or another server responds at that address, correct the address.";
		}
		return "Configure the authority that signed the certificate of the Kubernetes API: " + authority();
	}

	private String expired() {
		return (this.client != null && this.client.authority() != null)
				? ("Put the current certificate authority of the cluster into %s; a file is read again "
						+ "when it changes.")
					.formatted(this.client.authority())
				: "Configure the current certificate authority of the cluster: " + authority();
	}

	private String authority() {
		boolean ownTls = this.client != null && this.client.ownTls();
		return switch (this.origin) {
			case PROPERTIES -> ownTls
					? "in the trust store of the SSL bundle that %s names.".formatted(property("ssl.bundle"))
					: "by %s, or by a kubeconfig that holds it (%s). If %s is set, put it into the trust store of that SSL bundle instead.%s"
						.formatted(property("ca"), property("kubeconfig"), property("ssl.bundle"), (this.client != null)
								? ""
								: " An ApiClient bean of the application takes it by certificateAuthority of the builder of Clients, or by setSslCaCert.");
			case DETAILS ->
				"by %s, as certificate authority or in the trust store of its SSL bundle.".formatted(DETAILS);
			case APPLICATION -> ownTls ? "in the trust manager that %s takes by 'tls'.".formatted(BUILDER)
					: (this.client != null) ? "by 'certificateAuthority' of %s.".formatted(BUILDER)
							: "by setSslCaCert of %s.".formatted(OWN);
		};
	}

	private String otherName() {
		String name = serverName();
		return "Let %s have a host that the certificate of the Kubernetes API is for%s.".formatted(url(),
				(name != null) ? ", or name that host by %s: it is sent as SNI, too".formatted(name) : "");
	}

	private String unknownName() {
		String name = serverName();
		return (name != null)
				? "Set %s to the name by which the router in front of the Kubernetes API knows it.".formatted(name)
				: "Let %s have the host by which the router in front of the Kubernetes API knows it.".formatted(url());
	}

	/**
	 * Returns the settings for the host name that the certificate must have.
	 * @return the settings; {@code null} if there are none
	 */
	private @Nullable String serverName() {
		String kubeconfig = " or 'tls-server-name' in the cluster of the kubeconfig";
		return switch (this.origin) {
			case PROPERTIES -> property("tls-server-name") + kubeconfig;
			case DETAILS -> null;
			case APPLICATION -> (this.client != null) ? "'tlsServerName' of %s%s".formatted(BUILDER, kubeconfig) : null;
		};
	}

	private String certificate() {
		boolean ownTls = this.client != null && this.client.ownTls();
		String bundle = "the key store of the SSL bundle that %s names".formatted(property("ssl.bundle"));
		return switch (this.origin) {
			case PROPERTIES -> ownTls ? "in " + bundle
					: "by 'client-certificate' and 'client-key' of the user of the kubeconfig, or in " + bundle;
			case DETAILS -> "by " + DETAILS;
			case APPLICATION -> ownTls ? "by the key managers that %s takes by 'tls'".formatted(BUILDER)
					: (this.client != null) ? "by 'clientCertificate' of " + BUILDER : "by setKeyManagers of " + OWN;
		};
	}

	private String url() {
		return switch (this.origin) {
			case PROPERTIES ->
				"the URL of the Kubernetes API (%s, else the server of the kubeconfig)".formatted(property("url"));
			case DETAILS -> "the URL of " + DETAILS;
			case APPLICATION -> "the URL of " + OWN;
		};
	}

	/**
	 * Describes how to configure credentials.
	 * @param which {@code some}, or {@code another one}
	 * @return the end of a sentence
	 */
	String credentials(String which) {
		return switch (this.origin) {
			case PROPERTIES -> "configure %s (%s, %s or the user of %s)".formatted(which, property("token-file"),
					property("token"), property("kubeconfig"));
			case DETAILS -> "let %s give %s".formatted(DETAILS, which);
			case APPLICATION -> "give %s %s".formatted(OWN, which);
		};
	}

	private String property(String name) {
		return "'%s.%s'".formatted(this.prefix, name);
	}

}
