package dev.kubeinformer.spring.autoconfigure.cluster;

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

import dev.kubeinformer.client.ClientCredential;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.types.Problem;

/**
 * Names the property that mends a connection, and the credential that the API server
 * refuses. The engine, which logs what is wrong with a connection, knows of no
 * properties.
 */
public final class ConnectionAdvice implements InformerListener {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionAdvice.class);

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
	public static @Nullable String of(String prefix, String reason) {
		return ConnectionMends.of(prefix, null).of(reason);
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		ApiClient used = this.client.get();
		ConnectionMends mends = ConnectionMends.of(this.prefix, used);
		if (error.problem() == Problem.UNAUTHORIZED) {
			ClientCredential credential = (used instanceof ManagedApiClient managed) ? managed.credential() : null;
			String advice = unauthorized(mends, credential, this.clock.instant());
			if (isNews((credential != null) ? credential.source() : "", advice)) {
				logger.warn("{}", advice);
			}
			return;
		}
		String advice = mends.of(error.reason());
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

	static String unauthorized(ConnectionMends mends, @Nullable ClientCredential credential, Instant now) {
		String other = mends.credentials("another one");
		if (credential != null) {
			Instant expires = credential.expires();
			String expiry = (expires != null) ? (expires.isAfter(now) ? "it expires at " : "it expired at ") + expires
					: "when it expires is not known";
			return "The Kubernetes API does not accept the credential (HTTP 401): %s, read at %s; %s. Renew it where it comes from, or %s."
				.formatted(credential.source(), credential.readAt().truncatedTo(ChronoUnit.SECONDS), expiry, other);
		}
		// A certificate of an SSL bundle is not known to the client.
		if (mends.client() != null && !mends.client().ownCertificate()) {
			return "The client has no credentials, and the Kubernetes API requires some (HTTP 401); %s."
				.formatted(mends.credentials("some"));
		}
		return "The Kubernetes API does not know the credential of the client (HTTP 401). Renew it, or %s."
			.formatted(other);
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
