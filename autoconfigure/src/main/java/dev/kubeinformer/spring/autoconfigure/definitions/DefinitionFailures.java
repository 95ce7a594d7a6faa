package dev.kubeinformer.spring.autoconfigure.definitions;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

import dev.kubeinformer.definitions.DefinitionChange;
import dev.kubeinformer.definitions.InvalidDefinitionException;
import dev.kubeinformer.spring.autoconfigure.definitions.DefinitionRequests.Answer;
import dev.kubeinformer.spring.autoconfigure.properties.DefinitionsProperties;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.rbac.DefinitionRights;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.ShownText;

/**
 * Explains why the definitions of a cluster cannot be applied.
 *
 * @param cluster the name of the cluster
 */
record DefinitionFailures(String cluster) {

	private static final int LONGEST = 2000;

	private static final String OTHERWISE = "set '%s' to false and apply the definition otherwise, such as from the manifests of the application"
		.formatted(DefinitionsProperties.APPLY);

	InformerConfigurationException invalid(InvalidDefinitionException cause) {
		return new InformerConfigurationException("Cannot generate a CustomResourceDefinition: " + cause.getMessage(),
				"Correct the class, or %s.".formatted(OTHERWISE), cause);
	}

	InformerConfigurationException refused(String name, Answer answer) {
		String action = switch (answer.code()) {
			case HttpURLConnection.HTTP_UNAUTHORIZED ->
				"Correct the credentials: the API server does not accept them. Or " + OTHERWISE + ".";
			case HttpURLConnection.HTTP_FORBIDDEN ->
				"Grant a %s, or %s.".formatted(DefinitionRights.rule(List.of(name)), OTHERWISE);
			case HttpURLConnection.HTTP_NOT_FOUND ->
				"Make sure that 'kubernetes.client.url' is the URL of an API server of Kubernetes.";
			default -> "Correct the class of the resource, or %s.".formatted(OTHERWISE);
		};
		return failure(name, answer.problem(), action, null);
	}

	InformerConfigurationException namesNotAccepted(String name, String message) {
		return failure(name, "the API server does not accept its names: " + message,
				"Rename the kind, plural, singular or a short name of the class by @KubernetesResource, or delete the "
						+ "definition that has the name.",
				null);
	}

	InformerConfigurationException late(String name, Duration timeout, String problem, @Nullable Throwable cause) {
		ChronoUnit unit = (timeout.toMillisPart() == 0) ? ChronoUnit.SECONDS : ChronoUnit.MILLIS;
		return failure(name, "%s after %s".formatted(problem, DurationStyle.SIMPLE.print(timeout, unit)),
				"Make sure that the API server is reachable and responds, or raise '%s'."
					.formatted(DefinitionsProperties.TIMEOUT),
				cause);
	}

	InformerConfigurationException breaking(String name, List<DefinitionChange> changes) {
		return new InformerConfigurationException(
				"The CustomResourceDefinition '%s'%s is not changed, because the new one would break stored objects or clients:%s"
					.formatted(name, where(), listed(changes)),
				("Change the class as advised. To apply the changes anyway, add '%s' to '%s'. If another "
						+ "application owns the definition, add it to '%s'.")
					.formatted(name, DefinitionsProperties.ACCEPT, DefinitionsProperties.EXCLUDE));
	}

	InformerConfigurationException foreign(String name, List<DefinitionChange> changes) {
		return new InformerConfigurationException(
				"The CustomResourceDefinition '%s'%s is not changed, because it differs from that of the class and was not applied by this application:%s"
					.formatted(name, where(), listed(changes)),
				"If others own the definition, add '%s' to '%s'. To take it over, add the name once to '%s'."
					.formatted(name, DefinitionsProperties.EXCLUDE, DefinitionsProperties.ACCEPT));
	}

	/**
	 * Describes changes. Escapes and shortens their text, which may come from the API
	 * server.
	 * @param changes the changes
	 * @return a line for each change, and a second line if the change has a remedy
	 */
	static String listed(List<DefinitionChange> changes) {
		return changes.stream()
			.map((change) -> "%n  %s".formatted(ShownText.of(change.toString(), LONGEST))
					+ (change.remedy().isEmpty() ? "" : "%n      %s".formatted(ShownText.of(change.remedy(), LONGEST))))
			.collect(Collectors.joining());
	}

	private InformerConfigurationException failure(String name, String problem, String action,
			@Nullable Throwable cause) {
		return new InformerConfigurationException("Cannot apply the CustomResourceDefinition '%s'%s: %s".formatted(name,
				where(), ShownText.of(problem, LONGEST)), action, cause);
	}

	private String where() {
		return this.cluster.equals(InformerClusters.DEFAULT) ? "" : " in the cluster '%s'".formatted(this.cluster);
	}

}
