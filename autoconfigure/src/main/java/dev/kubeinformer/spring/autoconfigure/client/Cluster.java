package dev.kubeinformer.spring.autoconfigure.client;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

import dev.kubeinformer.client.ClientDescription;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.bean.StartWait;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Configured cluster: the source of its connection, such as a kubeconfig, and the builder
 * of its client.
 */
final class Cluster {

	private final ManagedApiClient.Builder builder;

	private final ClientFailures failures;

	private final Function<ClientDescription, String> namespace;

	private final boolean selfContained;

	private final @Nullable SslBundle bundle;

	private Cluster(ManagedApiClient.Builder builder, ClientFailures failures,
			Function<ClientDescription, String> namespace, boolean selfContained, @Nullable SslBundle bundle) {
		this.builder = builder;
		this.failures = failures;
		this.namespace = namespace;
		this.selfContained = selfContained;
		this.bundle = bundle;
	}

	/**
	 * Creates a cluster whose connection other properties can modify.
	 * @param builder the builder of the client
	 * @param failures the explanation of failures
	 * @param namespace the function that returns the namespace for {@code @current}, such
	 * as that of the kubeconfig's context
	 */
	Cluster(ManagedApiClient.Builder builder, ClientFailures failures, Function<ClientDescription, String> namespace) {
		this(builder, failures, namespace, false, null);
	}

	/**
	 * Creates a cluster from connection details. Properties do not apply to it, because
	 * connection details describe a connection completely.
	 * @param builder the builder of the client
	 * @param details the details
	 * @param failures the explanation of failures
	 * @return the cluster
	 */
	static Cluster of(ManagedApiClient.Builder builder, KubernetesConnectionDetails details, ClientFailures failures) {
		String token = details.getToken();
		String certificate = details.getClientCertificate();
		String key = details.getClientKey();
		builder.certificateAuthority(details.getCertificateAuthority());
		if (token != null) {
			builder.token(token);
		}
		else if (certificate != null && key != null) {
			builder.clientCertificate(certificate, key);
		}
		return new Cluster(builder, failures, (description) -> {
			String namespace = details.getNamespace();
			if (namespace == null) {
				throw ClusterLocator.noNamespace();
			}
			return namespace;
		}, true, details.getSslBundle());
	}

	/**
	 * Returns whether the connection is described completely, for example by connection
	 * details, so that properties do not apply.
	 * @return {@code true} if properties do not apply
	 */
	boolean isSelfContained() {
		return this.selfContained;
	}

	/**
	 * Returns the builder of the client.
	 * @return the builder
	 */
	ManagedApiClient.Builder builder() {
		return this.builder;
	}

	/**
	 * Returns the namespace for {@code @current}, such as that of the kubeconfig's
	 * context.
	 * @return the namespace
	 * @throws IllegalArgumentException if no namespace is set
	 */
	String namespace() {
		return this.namespace.apply(describe());
	}

	/**
	 * Returns whether creating a client may be slow, because a plugin provides the
	 * credentials.
	 * @return {@code true} if there is a plugin
	 */
	boolean isSlow() {
		return describe().plugin();
	}

	private ClientDescription describe() {
		try {
			return this.builder.describe();
		}
		catch (ClientConfigurationException ex) {
			throw this.failures.explain(ex);
		}
	}

	/**
	 * Creates a client.
	 * @return the client, which is not connected
	 */
	ManagedApiClient client() {
		ClientTls tls = (this.bundle != null) ? ClientTls.of(this.bundle) : null;
		if (tls != null) {
			tls.apply(this.builder);
		}
		ManagedApiClient client = build();
		try {
			if (tls != null) {
				tls.applyOptions(client);
			}
			return client;
		}
		catch (IllegalArgumentException ex) {
			client.close();
			throw this.failures.explain(new ClientConfigurationException(this.failures.settings(), "tls",
					String.valueOf(ex.getMessage()), null));
		}
		catch (RuntimeException | Error ex) {
			client.close();
			throw ex;
		}
	}

	private ManagedApiClient build() {
		try {
			return isSlow()
					? StartWait.call("the credentials of the client", this.builder::build, ManagedApiClient::close)
					: this.builder.build();
		}
		catch (ClientConfigurationException ex) {
			throw this.failures.explain(ex);
		}
	}

}
