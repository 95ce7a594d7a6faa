package dev.kubeinformer.spring.test;

import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.context.ApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;

/**
 * Finds beans of all levels of a context hierarchy.
 */
final class ContextLevels {

	private ContextLevels() {
	}

	// Each level is searched separately, because a bean of a context hides the bean of
	// its parent with the same name.
	static Stream<ApplicationContext> of(ApplicationContext context) {
		return Stream.iterate(context, Objects::nonNull, ApplicationContext::getParent);
	}

	static Stream<Informers> informers(ApplicationContext context) {
		Stream<Informers> beans = of(context)
			.flatMap((level) -> level.getBeansOfType(Informers.class).values().stream());
		// Informers of named clusters may have been added at run time.
		Stream<Informers> clusters = of(context)
			.flatMap((level) -> level.getBeansOfType(ClusterRuntimes.class).values().stream())
			.flatMap((runtimes) -> runtimes.all().stream())
			.map(ClusterRuntime::informers);
		return Stream.concat(beans, clusters).distinct();
	}

}
