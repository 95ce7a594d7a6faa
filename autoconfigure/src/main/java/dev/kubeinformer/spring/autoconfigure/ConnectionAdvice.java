package dev.kubeinformer.spring.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerError;
import dev.kubeinformer.InformerListener;
import dev.kubeinformer.client.ClientCredential;
import dev.kubeinformer.client.ClientDescription;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.types.Problem;

/**
 * Names the property that mends a connection, and the credential that the API server
 * refuses. The engine, which logs what is wrong with a connection, knows of no
 * properties.
 */
final class ConnectionAdvice implements InformerListener {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionAdvice.class);

	private static final String NOT_TRUSTED = "CertificateNotTrusted";

	/** Advice that was logged: it concerns all informers, and is the same each time. */
	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	/**
	 * Time before the advice on another credential of the same source, such as a plugin
	 * that prints another token each time.
	 */
	private static final Duration REMINDER = Duration.ofMinutes(10);

	/** Last advice on refused credentials, by their sources. */
	private final Map<String, Advice> refused = new ConcurrentHashMap<>();

	private final String prefix;

	private final Supplier<@Nullable ApiClient> client;

	private final Clock clock;

	/**
	 * Creates the advice of a cluster.
	 * @param prefix the prefix of the properties of its client
	 * @param client the client that informers use; {@code null} before they use one
	 * @param clock tells whether a credential has expired
	 */
	ConnectionAdvice(String prefix, Supplier<@Nullable ApiClient> client, Clock clock) {
		this.prefix = prefix;
		this.client = client;
		this.clock = clock;
	}

	/**
	 * Returns advice on an error.
	 * @param prefix the prefix of the properties of the client
	 * @param reason the reason of the error
	 * @return what to do; {@code null} if that depends
	 */
	static @Nullable String of(String prefix, String reason) {
		return of(prefix, reason, null);
	}

	private static @Nullable String of(String prefix, String reason, @Nullable ManagedApiClient client) {
		String advice = switch (reason) {
			case NOT_TRUSTED -> untrusted((client != null) ? client.description() : null);
			case "CertificateForAnotherName" -> "Set 'kubernetes.client.url', or the server of the kubeconfig, to a "
					+ "host that the certificate of the Kubernetes API is for, or name that host by "
					+ "'kubernetes.client.tls-server-name' or 'tls-server-name' in the cluster of the kubeconfig: it is sent as SNI, too.";
			case "TlsExpected" -> "Begin the URL of the Kubernetes API with https:// ('kubernetes.client.url', else "
					+ "the server of the kubeconfig).";
			case "TlsNotSpoken" -> "Correct the port of the URL of the Kubernetes API, or begin it with http:// if it "
					+ "is that of a proxy on this machine ('kubernetes.client.url', else the server of the kubeconfig).";
			default -> null;
		};
		return (advice != null) ? advice.replace(KubernetesClientProperties.PREFIX, prefix) : null;
	}

	private static String untrusted(@Nullable ClientDescription client) {
		if (client != null && client.authority() != null) {
			return "No authority that %s holds has signed the certificate of the Kubernetes API at %s. "
				.formatted(client.authority(), client.url())
					+ "Put the authority of this API server there; a file is read again when it changes. "
					+ "If a proxy or another server answers at that address, correct the address.";
		}
		return "Name the authority that signed the certificate of the Kubernetes API: "
				+ "by 'kubernetes.client.ca', as trust store of the SSL bundle that 'kubernetes.client.ssl.bundle' "
				+ "names, or by a kubeconfig that holds it ('kubernetes.client.kubeconfig'). An ApiClient bean of your "
				+ "own takes it by setSslCaCert.";
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		ManagedApiClient managed = (this.client.get() instanceof ManagedApiClient found) ? found : null;
		if (error.problem() == Problem.UNAUTHORIZED) {
			ClientCredential credential = (managed != null) ? managed.credential() : null;
			String advice = unauthorized(credential);
			if (isNews((credential != null) ? credential.source() : "", advice)) {
				logger.warn("{}", advice);
			}
			return;
		}
		String advice = of(this.prefix, error.reason(), managed);
		if (advice != null && this.logged.add(error.reason())) {
			logger.warn("{}", advice);
		}
	}

	private boolean isNews(String source, String advice) {
		Advice next = new Advice(advice, this.clock.instant());
		return this.refused.merge(source, next, (last, fresh) -> {
			boolean early = fresh.time().isBefore(last.time().plus(REMINDER));
			return (early || last.text().equals(advice)) ? last : fresh;
		}) == next;
	}

	private String unauthorized(@Nullable ClientCredential credential) {
		String configure = "configure another one ('kubernetes.client.token-file', 'kubernetes.client.token' or the user of 'kubernetes.client.kubeconfig')."
			.replace(KubernetesClientProperties.PREFIX, this.prefix);
		if (credential == null) {
			return "The Kubernetes API does not know the credential of the client (HTTP 401). Renew it, or "
					+ configure;
		}
		Instant expires = credential.expires();
		String expiry = (expires != null)
				? (expires.isAfter(this.clock.instant()) ? "it expires at " : "it expired at ") + expires
				: "when it expires is not known";
		return "The Kubernetes API does not accept the credential (HTTP 401): %s, read at %s; %s. Renew it where it comes from, or %s"
			.formatted(credential.source(), credential.readAt().truncatedTo(ChronoUnit.SECONDS), expiry, configure);
	}

	/**
	 * Advice that was logged.
	 *
	 * @param text the advice
	 * @param time when it was logged
	 */
	private record Advice(String text, Instant time) {

	}

}
