package dev.kubeinformer.spring.test;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.AotDetector;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

import dev.kubeinformer.spring.cluster.InformerClusters;

/**
 * {@link ContextCustomizerFactory} of
 * {@link EmbeddedKubernetesTest @EmbeddedKubernetesTest}.
 */
class EmbeddedKubernetesContextCustomizerFactory implements ContextCustomizerFactory {

	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

	private static final Pattern CLUSTER_NAME = Pattern.compile("[a-z0-9-]+");

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		EmbeddedKubernetesTest annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				EmbeddedKubernetesTest.class);
		if (annotation == null || AotDetector.useGeneratedArtifacts()) {
			return null;
		}
		return new EmbeddedKubernetesContextCustomizer(
				TimeUnit.MILLISECONDS.convert(DurationStyle.detectAndParse(annotation.bookmarkInterval())),
				annotation.garbageCollection(), namespace(annotation), clusters(annotation), annotation.definitions());
	}

	private static String namespace(EmbeddedKubernetesTest annotation) {
		if (!NAMESPACE.matcher(annotation.namespace()).matches()) {
			throw new IllegalArgumentException(("@EmbeddedKubernetesTest(namespace = ...) has '%s', but needs the name "
					+ "of a namespace: up to 63 lower-case letters, digits and '-', the first and the last of them no '-'")
				.formatted(annotation.namespace()));
		}
		return annotation.namespace();
	}

	private static List<String> clusters(EmbeddedKubernetesTest annotation) {
		SortedSet<String> names = new TreeSet<>();
		for (String name : annotation.clusters()) {
			if (!CLUSTER_NAME.matcher(name).matches() || InformerClusters.DEFAULT.equals(name) || !names.add(name)) {
				throw new IllegalArgumentException(("@EmbeddedKubernetesTest(clusters = ...) has '%s', but needs "
						+ "different names of lower-case letters, digits and '-', and not '%s', which is always there")
					.formatted(name, InformerClusters.DEFAULT));
			}
		}
		return List.copyOf(names);
	}

}
