package dev.kubeinformer.test;

import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skips tests that need a cluster if there is none.
 */
final class ClusterCondition implements ExecutionCondition, ParameterResolver {

	private static final Logger logger = LoggerFactory.getLogger(RequiresCluster.class);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		Path kubeconfig = kubeconfig();
		if (kubeconfig == null) {
			return skipped(context, "there is no kubeconfig of a cluster; set one with -Dkubeconfig=FILE or KUBECONFIG");
		}
		if (!Files.isReadable(kubeconfig)) {
			throw new IllegalStateException("The kubeconfig '%s' cannot be read".formatted(kubeconfig));
		}
		for (String property : properties(context)) {
			if (System.getProperty(property, "").isBlank()) {
				return skipped(context, "it needs -D%s=…".formatted(property));
			}
		}
		return ConditionEvaluationResult.enabled("There is the kubeconfig '%s'".formatted(kubeconfig));
	}

	private static String[] properties(ExtensionContext context) {
		return AnnotationSupport.findAnnotation(context.getElement(), RequiresCluster.class)
			.map(RequiresCluster::properties)
			.orElse(new String[0]);
	}

	private static ConditionEvaluationResult skipped(ExtensionContext context, String why) {
		String reason = "Skipped '%s': %s".formatted(context.getDisplayName(), why);
		logger.warn(reason);
		return ConditionEvaluationResult.disabled(reason);
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == Path.class;
	}

	@Override
	public @Nullable Path resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return kubeconfig();
	}

	private static @Nullable Path kubeconfig() {
		String property = System.getProperty("kubeconfig", "");
		String file = property.isBlank() ? System.getenv().getOrDefault("KUBECONFIG", "") : property;
		return file.isBlank() ? null : Path.of(file);
	}

}
