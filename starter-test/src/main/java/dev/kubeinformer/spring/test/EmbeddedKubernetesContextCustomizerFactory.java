package dev.kubeinformer.spring.test;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.AotDetector;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * {@link ContextCustomizerFactory} of
 * {@link EmbeddedKubernetesTest @EmbeddedKubernetesTest}.
 */
class EmbeddedKubernetesContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		EmbeddedKubernetesTest annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				EmbeddedKubernetesTest.class);
		if (annotation == null || AotDetector.useGeneratedArtifacts()) {
			return null;
		}
		return new EmbeddedKubernetesContextCustomizer(
				DurationStyle.detectAndParse(annotation.bookmarkInterval()).toMillis(), annotation.garbageCollection());
	}

}
