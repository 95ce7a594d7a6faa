package dev.kubeinformer.spring.autoconfigure.definitions;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.definitions.DefinitionChanges;
import dev.kubeinformer.definitions.InvalidDefinitionException;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.autoconfigure.definitions.DefinitionRequests.Answer;
import dev.kubeinformer.spring.autoconfigure.properties.DefinitionsProperties;
import dev.kubeinformer.spring.settings.ShownText;

/**
 * Applies the definitions of an application's classes in one cluster, and waits until the
 * API server serves them. All definitions are compared before the first one is changed,
 * and none is deleted. If a definition in the cluster differs from its class, it is
 * changed, with three exceptions. The start fails if no application has applied the
 * definition. The definition is kept if it only accepts more than its class, for example
 * because a newer replica has applied it. The start fails if the change would be breaking
 * in another way. There are no exceptions for definitions that
 * {@code accept-breaking-changes} names.
 */
final class DefinitionApplier {

	private static final Logger logger = LoggerFactory.getLogger(DefinitionApplier.class);

	private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	/** Maximum time to wait until a definition is deleted or its names are accepted. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final String cluster;

	private final DefinitionRequests requests;

	private final DefinitionsProperties properties;

	private final DefinitionFailures failures;

	private final BooleanSupplier wanted;

	private long deadline;

	/**
	 * Latest problem that the API server has reported; {@code null} if there was none.
	 */
	private @Nullable String reported;

	private DefinitionApplier(String cluster, ApiClient client, DefinitionsProperties properties,
			BooleanSupplier wanted) {
		this.cluster = cluster;
		this.requests = new DefinitionRequests(client);
		this.properties = properties;
		this.failures = new DefinitionFailures(cluster);
		this.wanted = wanted;
	}

	/**
	 * Applies the definitions of classes.
	 * @param cluster the name of the cluster
	 * @param client the client of the cluster
	 * @param classes the classes
	 * @param properties the properties
	 * @param wanted the check whether to continue, which is made before each request;
	 * returns {@code false} when the application has been stopped
	 * @throws dev.kubeinformer.spring.settings.InformerConfigurationException if a
	 * definition cannot be applied
	 */
	static void apply(String cluster, ApiClient client, List<Class<?>> classes, DefinitionsProperties properties,
			BooleanSupplier wanted) {
		new DefinitionApplier(cluster, client, properties, wanted).apply(classes);
	}

	private void apply(List<Class<?>> classes) {
		List<V1CustomResourceDefinition> wanted = generate(classes);
		this.deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(this.properties.timeout());
		Map<String, Step> steps = new LinkedHashMap<>();
		wanted.forEach((definition) -> steps.put(name(definition), next(definition)));
		wanted.forEach(
				(definition) -> steps.computeIfPresent(name(definition), (name, step) -> change(definition, step)));
		steps.forEach((name, step) -> {
			if (step != Step.SKIP) {
				awaitEstablished(name);
			}
		});
	}

	private List<V1CustomResourceDefinition> generate(List<Class<?>> classes) {
		// Exclude first, because the generator may reject a class whose definition others
		// own.
		List<Class<?>> own = classes.stream().filter((type) -> !isExcluded(type)).toList();
		try {
			return own.isEmpty() ? List.of() : CustomResourceDefinitions.of(own).all();
		}
		catch (InvalidDefinitionException ex) {
			throw this.failures.invalid(ex);
		}
	}

	private boolean isExcluded(Class<?> type) {
		KubernetesResource resource = type.getAnnotation(KubernetesResource.class);
		return resource != null && this.properties.exclude().contains(resource.plural() + "." + resource.group());
	}

	private static String name(V1CustomResourceDefinition definition) {
		return Objects.requireNonNull(definition.getMetadata().getName());
	}

	/**
	 * Compares a definition with the one in the cluster, and sets its resource version.
	 * An apply then succeeds only if the definition in the cluster has not changed since.
	 * @param definition the definition
	 * @return the next step
	 */
	private Step next(V1CustomResourceDefinition definition) {
		String name = name(definition);
		Answer current = current(name);
		if (current == null) {
			logger.warn("CustomResourceDefinition '{}' in cluster '{}' is being deleted and is not applied. "
					+ "The application starts so that its objects can be cleaned up; "
					+ "restart it afterwards to create the definition again", name, this.cluster);
			return Step.SKIP;
		}
		definition.getMetadata().setResourceVersion(current.resourceVersion());
		if (current.isNotFound()) {
			logger.info("Creating CustomResourceDefinition '{}' in cluster '{}'", name, this.cluster);
			return Step.APPLY;
		}
		String wanted = JSON.serialize(definition);
		DefinitionChanges changes = DefinitionChanges.between(current.body(), wanted);
		if (changes.all().isEmpty()) {
			return Step.KEEP;
		}
		if (!this.properties.accepts(name)) {
			if (!current.isApplied()) {
				throw this.failures.foreign(name, changes.all());
			}
			if (changes.isBreaking()) {
				if (DefinitionChanges.between(wanted, current.body()).isBreaking()) {
					throw this.failures.breaking(name, changes.breaking());
				}
				logger.warn(
						"Keeping CustomResourceDefinition '{}' in cluster '{}': it accepts more than the class, "
								+ "for example because a newer replica has applied it. "
								+ "If the class is newer, add the name once to '{}'",
						name, this.cluster, DefinitionsProperties.ACCEPT);
				return Step.KEEP;
			}
		}
		logger.info("Changing CustomResourceDefinition '{}' in cluster '{}':{}", name, this.cluster,
				DefinitionFailures.listed(changes.all()));
		return Step.APPLY;
	}

	/**
	 * Returns the current definition. Waits a short time while it is being deleted,
	 * because a deletion cannot be undone. The wait is short because the deletion may
	 * need this application: its reconcilers remove the finalizers of the objects.
	 * @param name the name of the definition
	 * @return the response, which contains the definition or has the status 404;
	 * {@code null} if the definition is still being deleted
	 */
	private @Nullable Answer current(String name) {
		Pause pause = new Pause(name);
		long end = endOfPatience();
		while (true) {
			Answer answer = send(name, (timeout) -> this.requests.get(name, timeout));
			if (!answer.isSuccessful() && !(answer.isNotFound() && answer.body().contains("\"Status\""))) {
				throw this.failures.refused(name, answer);
			}
			if (!answer.isBeingDeleted()) {
				return answer;
			}
			if (System.nanoTime() - end >= 0) {
				return null;
			}
			pause.next("it is still being deleted", null);
		}
	}

	/**
	 * Applies a definition. Compares it again if the definition in the cluster has
	 * changed in the meantime.
	 * @param definition the definition
	 * @param first the step after the first comparison
	 * @return the step that was carried out
	 */
	private Step change(V1CustomResourceDefinition definition, Step first) {
		String name = name(definition);
		Pause pause = new Pause(name);
		Step step = first;
		while (step == Step.APPLY) {
			String body = JSON.serialize(definition);
			Answer answer = send(name, (timeout) -> this.requests.apply(name, body, timeout));
			answer.warnings()
				.forEach((warning) -> logger.warn("CustomResourceDefinition '{}': {}", name, ShownText.of(warning)));
			if (answer.isSuccessful()) {
				break;
			}
			if (!answer.isConflict()) {
				throw this.failures.refused(name, answer);
			}
			pause.next(answer.problem(), null);
			step = next(definition);
		}
		return step;
	}

	private void awaitEstablished(String name) {
		Pause pause = new Pause(name);
		long end = endOfPatience();
		while (true) {
			Answer answer = send(name, (timeout) -> this.requests.get(name, timeout));
			if (!answer.isSuccessful() && !answer.isNotFound()) {
				throw this.failures.refused(name, answer);
			}
			boolean namesAccepted = !answer.condition("NamesAccepted").path("status").asString("").equals("False");
			// Right after a change, the condition may still refer to the previous names.
			if (!namesAccepted && System.nanoTime() - end >= 0) {
				throw this.failures.namesNotAccepted(name,
						answer.condition("NamesAccepted").path("message").asString(""));
			}
			if (namesAccepted && answer.condition("Established").path("status").asString("").equals("True")) {
				return;
			}
			String message = answer.condition("Established").path("message").asString("");
			pause.next("it is not established" + (message.isEmpty() ? "" : " (" + message + ")"), null);
		}
	}

	/**
	 * Returns the time at which a wait for a state that may never come must end, so that
	 * time is left for the other definitions.
	 * @return the time, by {@link System#nanoTime()}
	 */
	private long endOfPatience() {
		return System.nanoTime() + Math.min(PATIENCE.toNanos(), left().toNanos() / 2);
	}

	/**
	 * Sends a request. Repeats it if the API server does not respond, or responds that a
	 * later attempt may succeed.
	 * @param name the name of the definition
	 * @param request the request
	 * @return the response
	 */
	private Answer send(String name, TimedRequest request) {
		Pause pause = new Pause(name);
		while (true) {
			if (!this.wanted.getAsBoolean()) {
				throw new IllegalStateException("Stopped while applying CustomResourceDefinitions");
			}
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
		// Return at least 1 ms, because 0 means no limit for the HTTP client.
		return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), this.deadline - System.nanoTime()));
	}

	/**
	 * Next step for a definition.
	 */
	private enum Step {

		/** The definition is created or changed. */
		APPLY,

		/** The definition in the cluster stays as it is. */
		KEEP,

		/** The definition is still being deleted; it is neither applied nor awaited. */
		SKIP

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
				// If the time limit ended the last request, an earlier response explains
				// more.
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
