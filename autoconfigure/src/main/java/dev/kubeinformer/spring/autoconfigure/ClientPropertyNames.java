package dev.kubeinformer.spring.autoconfigure;

import java.util.Collection;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Names of the properties of the client that are set, for messages about those that have
 * no effect.
 *
 * @param environment the environment
 */
record ClientPropertyNames(Environment environment) {

	/**
	 * Properties that are set.
	 * @param names their names, without the prefix
	 * @return the full names
	 */
	Stream<String> set(Collection<String> names) {
		Binder binder = Binder.get(this.environment);
		return names.stream()
			.map((name) -> KubernetesClientProperties.PREFIX + "." + name)
			.filter((name) -> StringUtils.hasText(binder.bind(name, String.class).orElse("")));
	}

}
