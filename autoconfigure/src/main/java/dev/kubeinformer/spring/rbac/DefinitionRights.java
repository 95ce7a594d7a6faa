package dev.kubeinformer.spring.rbac;

import java.util.List;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * RBAC rules for the definitions that an application applies at its start.
 * <p>
 * Internal to the starter.
 *
 * @param used the resources that the application uses
 * @param applied {@code true} if the application applies the definitions of these
 * resources
 * @param excluded the names of definitions that the application does not apply
 */
public record DefinitionRights(UsedResources used, boolean applied, List<String> excluded) {

	private static final String PREFIX = "kubernetes.definitions";

	/**
	 * Returns the rules of an application.
	 * @param used the resources that the application uses
	 * @param environment the environment of the application
	 * @return the rules
	 */
	public static DefinitionRights of(UsedResources used, Environment environment) {
		Binder binder = Binder.get(environment);
		return new DefinitionRights(used, binder.bind(PREFIX + ".apply", Boolean.class).orElse(false),
				binder.bind(PREFIX + ".exclude", Bindable.listOf(String.class)).orElse(List.of()));
	}

	/**
	 * Returns the rule for definitions with certain names. An apply request names the
	 * object that it creates, so RBAC can limit the creation by name, too.
	 * @param names the names of the definitions
	 * @return the rule
	 */
	public static RequiredRbac rule(List<String> names) {
		return new RequiredRbac("apiextensions.k8s.io", "customresourcedefinitions", names,
				List.of("get", "create", "patch"), null);
	}

	/**
	 * Returns the rules for a cluster.
	 * @param cluster the name of the cluster
	 * @return the rules; empty if no definition is applied there
	 */
	public List<RequiredRbac> in(String cluster) {
		if (!this.applied) {
			return List.of();
		}
		List<String> names = this.used.customClasses(cluster)
			.stream()
			.map((type) -> type.getAnnotation(KubernetesResource.class))
			.map((resource) -> resource.plural() + "." + resource.group())
			.filter((name) -> !this.excluded.contains(name))
			.distinct()
			.toList();
		return names.isEmpty() ? List.of() : List.of(rule(names));
	}

}
