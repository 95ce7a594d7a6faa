package dev.kubeinformer.spring.handler.container;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Checks the resources in the configuration. Rejects an unknown resource only if it is
 * similar to a known one, because a custom resource may be requested later.
 *
 * @param informers the informers
 * @param configured the configuration
 */
record ResourceKeyValidator(Informers informers, ConfiguredSettings configured) {

	private static final Logger logger = LoggerFactory.getLogger(ResourceKeyValidator.class);

	/**
	 * Maximum number of typing errors in a name that is regarded as misspelt.
	 */
	private static final int SLIP = 2;

	void validate(List<? extends InformerHandlerContainer> containers) {
		if (this.configured.resourceKeys().isEmpty()) {
			return;
		}
		Map<String, ResourceType<?>> known = known(containers);
		for (String key : this.configured.resourceKeys()) {
			if (!known.containsKey(InformerIds.canonical(key))) {
				Optional<ResourceType<?>> meant = known.values()
					.stream()
					.filter((type) -> difference(key, type) <= SLIP)
					.min(Comparator.comparingInt((type) -> difference(key, type)));
				if (meant.isPresent()) {
					throw unknown(key, meant.get());
				}
				logger.warn("'{}.resources.{}' is neither a built-in resource nor the resource of a "
						+ "handler or lister; it has no effect unless an informer on it is requested " + "later",
						this.configured.prefix(), key);
			}
		}
	}

	private InformerConfigurationException unknown(String key, ResourceType<?> meant) {
		return new InformerConfigurationException(
				"The configuration has '%s.resources.%s', but that resource does not exist"
					.formatted(this.configured.prefix(), key),
				"Did you mean '%s'? Resources are named by plural and group%s.".formatted(
						meant.group().isEmpty() ? meant.name() : "[" + meant.name() + "]",
						meant.group().isEmpty() ? "; a resource of the core group has only the plural"
								: ", in brackets because of the dots"));
	}

	private Map<String, ResourceType<?>> known(List<? extends InformerHandlerContainer> containers) {
		Map<String, ResourceType<?>> known = new TreeMap<>();
		Stream<ResourceType<?>> used = Stream
			.concat(this.informers.all().stream().map(Informer::spec),
					containers.stream().map(InformerHandlerContainer::spec))
			.map(InformerSpec::type);
		Stream.concat(used, ResourceType.builtIn().stream())
			.forEach((type) -> known.putIfAbsent(InformerIds.canonical(type.name()), type));
		return known;
	}

	private static int difference(String key, ResourceType<?> type) {
		String canonical = InformerIds.canonical(key);
		return Stream.of(type.name(), type.plural(), type.kind())
			.map(InformerIds::canonical)
			.mapToInt((name) -> difference(canonical, name))
			.min()
			.getAsInt();
	}

	private static int difference(String key, String name) {
		if (key.equals(name)) {
			return 0;
		}
		// Few misspellings change the first letter, and many short names are similar.
		boolean comparable = Math.min(key.length(), name.length()) > 2 * SLIP - 1 && key.charAt(0) == name.charAt(0);
		return comparable ? InformerIds.distance(key, name) : Integer.MAX_VALUE;
	}

}
