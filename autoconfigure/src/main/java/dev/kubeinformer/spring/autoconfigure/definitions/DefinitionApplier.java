package dev.kubeinformer.spring.autoconfigure.definitions;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.definitions.DefinitionChanges;
import dev.kubeinformer.definitions.InvalidDefinitionException;
import dev.kubeinformer.spring.autoconfigure.definitions.DefinitionRequests.Answer;
import dev.kubeinformer.spring.autoconfigure.properties.DefinitionsProperties;
import dev.kubeinformer.spring.settings.ShownText;

/**
 * Applies the definitions of an application's classes in one cluster, and waits until the
 * API server serves them. Compares all of them before it changes one, never deletes one,
 * and keeps a definition that accepts more than its class, such as that of a newer
 * replica.
 */
final class DefinitionApplier {

	private static final Logger logger = LoggerFactory.getLogger(DefinitionApplier.class);

	private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final String cluster;

	private final DefinitionRequests requests;

	private final DefinitionsProperties properties;

	private final DefinitionFailures failures;

	private long deadline;

	/**
	 * Latest problem that the API server has reported; {@code null} if there was none.
	 */
	private @Nullable String reported;

	private DefinitionApplier(String cluster, ApiClient client, DefinitionsProperties properties) {
		this.cluster = cluster;
		this.requests = new DefinitionRequests(client);
		this.properties = properties;
		this.failures = new DefinitionFailures(cluster);
	}

	/**
	 * Applies the definitions of classes.
	 * @param cluster the name of the cluster
	 * @param client the client of the cluster
	 * @param classes the classes
	 * @param properties the properties
	 * @throws dev.kubeinformer.spring.settings.InformerConfigurationException if a
	 * definition cannot be applied
	 */
	static void apply(String cluster, ApiClient client, List<Class<?>> classes, DefinitionsProperties properties) {
		new DefinitionApplier(cluster, client, properties).apply(classes);
	}

	private void apply(List<Class<?>> classes) {
		List<V1CustomResourceDefinition> wanted = generate(classes);
		this.deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(this.properties.timeout());
		List<V1CustomResourceDefinition> changed = new ArrayList<>();
		for (V1CustomResourceDefinition definition : wanted) {
			if (isToBeApplied(definition)) {
				changed.add(definition);
			}
		}
		for (V1CustomResourceDefinition definition : changed) {
			String name = name(definition);
			Answer answer = send(name, (timeout) -> this.requests.apply(name, JSON.serialize(definition), timeout));
			answer.warnings()
				.forEach((warning) -> logger.warn("CustomResourceDefinition '{}': {}", name, ShownText.of(warning)));
			if (!answer.isSuccessful()) {
				throw this.failures.refused(name, answer);
			}
		}
		wanted.forEach((definition) -> awaitEstablished(name(definition)));
	}

	private List<V1CustomResourceDefinition> generate(List<Class<?>> classes) {
		try {
			return CustomResourceDefinitions.of(classes)
				.all()
				.stream()
				.filter((definition) -> !this.properties.exclude().contains(name(definition)))
				.toList();
		}
		catch (InvalidDefinitionException ex) {
			throw this.failures.invalid(ex);
		}
	}

	private static String name(V1CustomResourceDefinition definition) {
		return Objects.requireNonNull(definition.getMetadata().getName());
	}

	private boolean isToBeApplied(V1CustomResourceDefinition definition) {
		String name = name(definition);
		Answer current = current(name);
		if (current.isNotFound()) {
			logger.info("Creating CustomResourceDefinition '{}' in cluster '{}'", name, this.cluster);
			return true;
		}
		String wanted = JSON.serialize(definition);
		DefinitionChanges changes = DefinitionChanges.between(current.body(), wanted);
		if (changes.all().isEmpty()) {
			return false;
		}
		if (changes.isBreaking() && !this.properties.accepts(name)) {
			if (DefinitionChanges.between(wanted, current.body()).isBreaking()) {
				throw this.failures.breaking(name, changes.breaking());
			}
			logger.info("Keeping CustomResourceDefinition '{}' in cluster '{}': it accepts more than the class, "
					+ "for example because a newer replica has applied it", name, this.cluster);
			return false;
		}
		logger.info("Changing CustomResourceDefinition '{}' in cluster '{}':{}", name, this.cluster,
				DefinitionFailures.listed(changes.all()));
		return true;
	}

	/**
	 * Returns the current definition. Waits while it is being deleted, because a deletion
	 * cannot be undone.
	 * @param name the name of the definition
	 * @return the answer with the definition, or that it does not exist
	 */
	private Answer current(String name) {
		Pause pause = new Pause(name);
		while (true) {
			Answer answer = send(name, (timeout) -> this.requests.get(name, timeout));
			if (!answer.isSuccessful() && !(answer.isNotFound() && answer.body().contains("\"Status\""))) {
				throw this.failures.refused(name, answer);
			}
			if (answer.tree().path("metadata").path("deletionTimestamp").isMissingNode()) {
				return answer;
			}
			pause.next("it is still being deleted", null);
		}
	}

	private void awaitEstablished(String name) {
		Pause pause = new Pause(name);
		while (true) {
			Answer answer = send(name, (timeout) -> this.requests.get(name, timeout));
			if (!answer.isSuccessful() && !answer.isNotFound()) {
				throw this.failures.refused(name, answer);
			}
			if (answer.condition("NamesAccepted").path("status").asString("").equals("False")) {
				throw this.failures.namesNotAccepted(name,
						answer.condition("NamesAccepted").path("message").asString(""));
			}
			if (answer.condition("Established").path("status").asString("").equals("True")) {
				return;
			}
			String message = answer.condition("Established").path("message").asString("");
			pause.next("it is not established" + (message.isEmpty() ? "" : " (" + message + ")"), null);
		}
	}

	/**
	 * Sends a request, and repeats it while the API server does not answer or asks for
	 * that.
	 * @param name the name of the definition
	 * @param request the request
	 * @return the answer
	 */
	private Answer send(String name, TimedRequest request) {
		Pause pause = new Pause(name);
		while (true) {
			Duration left = left();
			try {
				Answer answer = request.send((left.compareTo(LONGEST_REQUEST) < 0) ? left : LONGEST_REQUEST);
				if (!answer.isTransient()) {
					return answer;
				}
				pause.next(answer.problem(), null);
			}
			catch (IOException ex) {
				pause.next(Objects.requireNonNullElse(ex.getMessage(), ex.getClass().getSimpleName()), ex);
			}
		}
	}

	private Duration left() {
		// Zero would be no limit for the HTTP client.
		return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), this.deadline - System.nanoTime()));
	}

	/**
	 * Request with a time limit.
	 */
	@FunctionalInterface
	private interface TimedRequest {

		Answer send(Duration timeout) throws IOException;

	}

	/**
	 * Growing pauses between attempts.
	 */
	private final class Pause {

		private final String name;

		private Duration length = Duration.ofMillis(50);

		private Pause(String name) {
			this.name = name;
		}

		private void next(String problem, @Nullable Throwable cause) {
			long left = DefinitionApplier.this.deadline - System.nanoTime();
			if (left <= 0) {
				// The last request is cut short.
				String known = DefinitionApplier.this.reported;
				throw DefinitionApplier.this.failures.late(this.name, DefinitionApplier.this.properties.timeout(),
						(cause != null && known != null) ? known : problem, cause);
			}
			if (cause == null) {
				DefinitionApplier.this.reported = problem;
			}
			try {
				TimeUnit.NANOSECONDS.sleep(Math.min(left, this.length.toNanos()));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while applying CustomResourceDefinitions", ex);
			}
			Duration longer = this.length.multipliedBy(2);
			this.length = (longer.compareTo(LONGEST_PAUSE) > 0) ? LONGEST_PAUSE : longer;
		}

	}

}
