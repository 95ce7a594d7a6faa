package dev.kubeinformer.spring.settings;

import java.util.Collection;

/**
 * Checks the keys of handlers or reconcilers in the configuration. Internal to the
 * starter.
 *
 * @param prefix the prefix of the keys
 * @param kind the kind of component, {@code handler} or {@code reconciler}
 * @param annotation the annotation of their beans
 * @param others the text that follows the list of existing ids in messages. It begins
 * with a punctuation mark
 */
public record IdKeys(String prefix, String kind, String annotation, String others) {

	/**
	 * Rejects keys that are not the id of an existing component.
	 * @param keys the keys as written
	 * @param ids the ids of the existing components
	 * @param clusters the names of the clusters
	 * @throws InformerConfigurationException if a key is not an id
	 */
	public void check(Collection<String> keys, Collection<String> ids, Collection<String> clusters) {
		for (String key : keys) {
			if (ids.stream().map(InformerIds::canonical).noneMatch(InformerIds.canonical(key)::equals)) {
				throw new InformerConfigurationException("The configuration has '%s.%s', but no %s has the id '%s'"
					.formatted(this.prefix, key, this.kind, key), action(key, ids, clusters));
			}
		}
	}

	private String action(String key, Collection<String> ids, Collection<String> clusters) {
		if (ids.isEmpty()) {
			return "Remove the entry, or make sure that the %s is a bean: the application has no %s."
				.formatted(this.kind, this.annotation);
		}
		String similar = InformerIds.similar(ClusterKeyAdvice.plain(key, clusters), ids);
		return ClusterKeyAdvice.of(key, clusters) + ((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
				+ "Correct the key to the id of a %1$s, or remove it. The %1$ss are '%2$s'%3$s ".formatted(this.kind,
						String.join("', '", ids), this.others)
				+ "The id is set in the annotation; by default it is the part of the bean name after its last dot.";
	}

}
