package dev.kubeinformer.spring.settings;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.InformerSpecDefaults;
import dev.kubeinformer.resource.ResourceType;

/**
 * Maker of {@link InformerSpec specs} from what a handler or injection point asks for and
 * from the configuration's defaults. Values replace, they never combine.
 */
public final class InformerSpecs implements InformerSpecDefaults {

	private static final String ALL = "*";

	private static final String CURRENT = "@current";

	private final ConfiguredSettings configured;

	private final Supplier<String> currentNamespace;

	/**
	 * Creates a maker.
	 * @param configured the configuration
	 * @param currentNamespace finds the namespace that {@code @current} stands for; asked
	 * only where that is written
	 */
	public InformerSpecs(ConfiguredSettings configured, Supplier<String> currentNamespace) {
		this.configured = configured;
		this.currentNamespace = currentNamespace;
	}

	/**
	 * Makes the spec for what someone asks for.
	 * @param <T> the model class
	 * @param where who asks, for messages
	 * @param type the resource
	 * @param asked what is asked for
	 * @return the spec
	 * @throws InvalidSettingException if a value makes no sense
	 */
	public <T extends KubernetesObject> InformerSpec<T> create(String where, ResourceType<T> type,
			InformerSettings asked) {
		InformerSettings explicit = asked.orElse(this.configured.forResource(type));
		InformerSettings settings = explicit.orElse(this.configured.forAll());
		// a namespace for everyone cannot mean resources that have none
		List<String> namespaces = type.namespaced() ? settings.namespaces() : explicit.namespaces();
		try {
			return InformerSpec.of(type)
				.withNamespaces(resolve(namespaces))
				.withLabelSelector(settings.labelSelector())
				.withFieldSelector(settings.fieldSelector());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidSettingException("%s: %s".formatted(where, ex.getMessage()), ex);
		}
	}

	/**
	 * Makes the spec for {@link dev.kubeinformer.Informers} that are asked by class
	 * alone.
	 */
	@Override
	public <T extends KubernetesObject> InformerSpec<T> apply(InformerSpec<T> spec) {
		return create("Informer on '%s'".formatted(spec.type().name()), spec.type(), InformerSettings.none());
	}

	private Set<String> resolve(@Nullable List<String> namespaces) {
		Set<String> resolved = new TreeSet<>();
		for (String namespace : (namespaces != null) ? namespaces : List.of(ALL)) {
			resolved.add(namespace.equals(CURRENT) ? this.currentNamespace.get() : namespace);
		}
		if (resolved.remove(ALL) && !resolved.isEmpty()) {
			throw new IllegalArgumentException(
					"'%s' among the namespaces %s means all of the cluster already".formatted(ALL, namespaces));
		}
		return resolved;
	}

}
