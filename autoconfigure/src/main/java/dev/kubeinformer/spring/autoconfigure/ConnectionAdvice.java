package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerError;
import dev.kubeinformer.InformerListener;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;

/**
 * Names the property that mends a connection. The engine, which logs what is wrong with
 * it, knows of no properties.
 */
final class ConnectionAdvice implements InformerListener {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionAdvice.class);

	/** Advice that was logged: it concerns all informers, and is the same each time. */
	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	private final String prefix;

	/**
	 * Creates the advice of a cluster.
	 * @param prefix the prefix of the properties of its client
	 */
	ConnectionAdvice(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Returns advice on an error.
	 * @param prefix the prefix of the properties of the client
	 * @param reason the reason of the error
	 * @return what to do; {@code null} if that depends
	 */
	static @Nullable String of(String prefix, String reason) {
		String advice = switch (reason) {
			case "CertificateNotTrusted" -> "Name the authority that signed the certificate of the Kubernetes API: "
					+ "by 'kubernetes.client.ca', as trust store of the SSL bundle that 'kubernetes.client.ssl.bundle' "
					+ "names, or by a kubeconfig that holds it ('kubernetes.client.kubeconfig'). An ApiClient bean of your own takes it by "
					+ "setSslCaCert.";
			case "TlsExpected" -> "Begin the URL of the Kubernetes API with https:// ('kubernetes.client.url', else "
					+ "the server of the kubeconfig).";
			case "TlsNotSpoken" -> "Correct the port of the URL of the Kubernetes API, or begin it with http:// if it "
					+ "is that of a proxy on this machine ('kubernetes.client.url', else the server of the kubeconfig).";
			default -> null;
		};
		return (advice != null) ? advice.replace(KubernetesClientProperties.PREFIX, prefix) : null;
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		String advice = of(this.prefix, error.reason());
		if (advice != null && this.logged.add(error.reason())) {
			logger.warn("{}", advice);
		}
	}

}
