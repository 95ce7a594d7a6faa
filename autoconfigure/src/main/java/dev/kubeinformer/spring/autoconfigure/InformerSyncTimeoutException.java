package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.autoconfigure.cluster.ConnectionAdvice;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterEntries;
import dev.kubeinformer.spring.inject.UnfilledCache;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.shard.UnsettledGroup;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.Problem;

/**
 * Thrown when informers do not sync within the time limit of the start or of a later
 * read.
 */
public class InformerSyncTimeoutException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private static final String LATE = "Raise 'kubernetes.informers.startup.late-timeout', or set it to '0s', so that "
			+ "reads do not wait and see an empty cache.";

	private static final String WAIT = "Raise 'kubernetes.informers.startup.timeout', or set "
			+ "'kubernetes.informers.startup.wait-for-sync=false' and let readiness wait.";

	InformerSyncTimeoutException(Duration timeout, Collection<Informer<?>> missing) {
		this(timeout, missing, WAIT);
	}

	private InformerSyncTimeoutException(Duration timeout, Collection<Informer<?>> missing, String wait) {
		super(message(timeout, missing), action(missing, wait));
	}

	/**
	 * Creates the exception for a read after the start.
	 * @param timeout the time limit of the read
	 * @param informer the informer that is not synced
	 * @return the exception
	 */
	static InformerSyncTimeoutException late(Duration timeout, Informer<?> informer) {
		return new InformerSyncTimeoutException(timeout, List.of(informer), LATE);
	}

	private static String message(Duration timeout, Collection<Informer<?>> missing) {
		StringBuilder message = new StringBuilder(
				"Informers that are not synced after %s:".formatted(UnfilledCache.print(timeout)));
		missing.forEach((informer) -> message.append("%n  %s".formatted(UnfilledCache.describe(informer))));
		return message.toString();
	}

	private static String action(Collection<Informer<?>> missing, String wait) {
		Set<String> actions = new LinkedHashSet<>();
		for (Informer<?> informer : missing) {
			UnsettledGroup group = UnsettledGroup.of(informer);
			if (group != null) {
				actions.addAll(group.actions().isEmpty() ? List.of(wait) : group.actions());
				continue;
			}
			String prefix = informer.cluster().equals(ClusterName.DEFAULT) ? KubernetesClientProperties.PREFIX
					: ClusterEntries.name(informer.cluster(), "");
			actions(informer.status(), prefix, wait)
				.forEach((action) -> actions.add(action.replace(KubernetesClientProperties.PREFIX, prefix)));
		}
		return String.join(System.lineSeparator(), actions);
	}

	private static List<String> actions(InformerStatus status, String prefix, String wait) {
		InformerError error = status.lastError();
		Problem problem = (error != null) ? error.problem() : null;
		if (problem == Problem.UNAUTHORIZED) {
			return List
				.of("Correct the credentials" + answer(error) + ": the API server does not accept them. They come from "
						+ "'kubernetes.client.token-file' or 'kubernetes.client.token', or from the "
						+ "kubeconfig or the pod's service account; a token may have expired.");
		}
		if (!status.requiredRbac().isEmpty()) {
			return status.requiredRbac()
				.stream()
				.map((rule) -> "Grant a %s%s, or authenticate as someone who has it.".formatted(rule,
						(problem == Problem.FORBIDDEN) ? answer(error) : ""))
				.toList();
		}
		if (problem == Problem.NOT_FOUND) {
			return List.of("Install the CustomResourceDefinition that the message names, or correct group, version and "
					+ "plural of @KubernetesResource" + answer(error)
					+ ". If built-in resources are not found either, 'kubernetes.client.url' is not "
					+ "the URL of an API server.");
		}
		String advice = (error != null) ? ConnectionAdvice.of(prefix, error.reason()) : null;
		if (error != null && advice != null) {
			// It is not known here whether the client has an authority, so give advice
			// for both cases.
			return error.reason().equals("CertificateNotTrusted")
					? List.of(advice, "If an authority is configured, it is a different one: replace it with "
							+ "the authority of this API server.")
					: List.of(advice);
		}
		if (error != null && problem == Problem.FORBIDDEN) {
			return List.of("Allow 'list' and 'watch' of '%s'%s, or authenticate as someone who may."
				.formatted(error.resource(), answer(error)));
		}
		if (error != null && error.httpStatus() == null) {
			return List.of("Make sure that the API server is reachable from here. Its address comes from "
					+ "'kubernetes.client.url', or from the kubeconfig or the pod of the application.", wait);
		}
		return List.of(wait);
	}

	private static String answer(@Nullable InformerError error) {
		return (error != null && error.httpStatus() != null) ? " (HTTP %d)".formatted(error.httpStatus()) : "";
	}

}
