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
 * Logs advice when a connection fails: which property to set, and which credential the
 * API server has rejected. The informers only log the failure, because they do not know
 * the properties.
 */
public final class ConnectionAdvice implements InformerListener {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionAdvice.class);

	/**
	 * Reasons of failures for which advice was logged. Advice does not depend on the
	 * informer, so it is logged once for each reason.
	 */
	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	/**
	 * Minimum time between two pieces of advice on credentials of the same source. The
	 * text may change each time, for example if a credential plugin prints another token.
	 */
	private static final Duration REMINDER = Duration.ofMinutes(10);

	/** Latest advice on rejected credentials, by the source of the credentials. */
	private final Map<String, Advice> refused = new ConcurrentHashMap<>();

	private final String prefix;

	private final Supplier<@Nullable ApiClient> client;

	private final Clock clock;

	/**
	 * Creates the advice of a cluster.
	 * @param prefix the prefix of the properties of its client
	 * @param client the supplier of the client that informers use; supplies {@code null}
	 * before they use it
	 * @param clock the clock, for expiry times
	 */
	ConnectionAdvice(String prefix, Supplier<@Nullable ApiClient> client, Clock clock) {
		this.prefix = prefix;
		this.client = client;
		this.clock = clock;
	}

	/**
	 * Returns advice on an error of a connection.
	 * @param prefix the prefix of the properties of the client
	 * @param reason the reason of the error
	 * @return the advice; {@code null} if no advice applies to all clients
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
					: "its expiry is unknown";
			return ("The Kubernetes API does not accept the credential (HTTP 401): %s, read at %s; %s. Renew "
					+ "it at its source, or %s.")
				.formatted(credential.source(), credential.readAt().truncatedTo(ChronoUnit.SECONDS), expiry, other);
		}
		// The TLS of the application, such as an SSL bundle, may contain a client
		// certificate. In that case, do not say that the client has no credentials.
		if (mends.client() != null && !mends.client().ownCertificate()) {
			return "The client has no credentials, and the Kubernetes API requires some (HTTP 401); %s."
				.formatted(mends.credentials("some"));
		}
		return "The Kubernetes API does not accept the credential of the client (HTTP 401). Renew it, or %s."
			.formatted(other);
	}

	/**
	 * Logged advice.
	 *
	 * @param text the advice
	 * @param time the time of the log line
	 */
	private record Advice(String text, Instant time) {

	}

}
