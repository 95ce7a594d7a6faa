package dev.kubeinformer.spring.autoconfigure.cluster;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when {@code Informers} beans of the application would take handlers and listers
 * to another cluster than the one that is configured, or cannot use what other beans are
 * for them.
 */
public final class ForeignInformersException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private static final String BESIDE = "For a second cluster, name it below 'kubernetes.clusters' and use "
			+ "@Qualifier(\"<name>\"), or declare your bean with @Bean(defaultCandidate = false) and inject it by a "
			+ "qualifier. ";

	private ForeignInformersException(String message, String action) {
		this(message, action, null);
	}

	private ForeignInformersException(String message, String action, @Nullable Throwable cause) {
		super(message, action, cause);
	}

	static ForeignInformersException beside(String bean, Collection<String> properties) {
		return new ForeignInformersException(
				("The application's own Informers bean '%s' would take the place of the auto-configured one: all "
						+ "handlers and listers would read its cluster. These properties are set and would have no effect: %s")
					.formatted(bean, String.join(", ", properties)),
				BESIDE + "If all are to use your bean, remove the properties.");
	}

	static ForeignInformersException several(List<String> beans) {
		return new ForeignInformersException(
				"There are %d Informers beans of the application, and handlers and listers use one: %s"
					.formatted(beans.size(), beans.stream().map("'%s'"::formatted).collect(Collectors.joining(", "))),
				BESIDE + "Mark the one that all others are to use with @Primary.");
	}

	public static ForeignInformersException running(String bean, IllegalStateException cause) {
		return new ForeignInformersException(
				("The application's own Informers bean '%s' runs already and cannot use the InformerTransform beans any "
						+ "more. %s")
					.formatted(bean, cause.getMessage()),
				"Do not start it where the bean is made: it is started with the application. Or give its builder the "
						+ "transform: Informers.builder(...).transform(...).",
				cause);
	}

	public static ForeignInformersException sameIndex(String bean, IllegalArgumentException cause) {
		return new ForeignInformersException(
				"The application's own Informers bean '%s' cannot use the InformerIndex beans. %s".formatted(bean,
						cause.getMessage()),
				"Give the index of the InformerIndex bean or that of the informer another name, or remove one of them.",
				cause);
	}

}
