package dev.kubeinformer.controller.test;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Objects of a recorded run: those that were given to it and those that it wrote.
 */
final class RecordedObjects {

	/**
	 * Placeholder for the plural of a resource. Metadata does not contain the plural, and
	 * it is not read in this module.
	 */
	private static final String ANY = "objects";

	private final ModelJson json;

	private final Map<Identity, KubernetesObject> present = new LinkedHashMap<>();

	private final Map<Description, Metadata<?>> described = new LinkedHashMap<>();

	private long version = 1000;

	RecordedObjects(ModelJson json) {
		this.json = json;
	}

	@Nullable KubernetesObject get(ResourceType<?> type, ObjectKey key) {
		return this.present.get(new Identity(type, key));
	}

	void remove(ResourceType<?> type, ObjectKey key) {
		this.present.remove(new Identity(type, key));
	}

	/**
	 * Adds the metadata of an object whose other fields are unknown.
	 * @param metadata the metadata
	 */
	void describe(Metadata<?> metadata) {
		this.described.put(Description.of(metadata), metadata);
	}

	void removeDescribed(Metadata<?> metadata) {
		this.described.remove(Description.of(metadata));
	}

	/**
	 * Returns an object, or its metadata if the object is unknown.
	 * @param type the resource of the whole object
	 * @param key the object
	 * @return the object or its metadata; {@code null} if neither is known
	 */
	@Nullable KubernetesObject find(ResourceType<?> type, ObjectKey key) {
		KubernetesObject there = get(type, key);
		return (there != null) ? there : this.described.get(new Description(type.apiVersion(), type.kind(), key));
	}

	/**
	 * Applies a patch to metadata.
	 * @param metadata the metadata
	 * @param patch the patch of the object; {@code null} if the patch does not change the
	 * metadata
	 * @return the patched metadata
	 */
	Metadata<?> patched(Metadata<?> metadata, @Nullable String patch) {
		Metadata<?> before = this.described.getOrDefault(Description.of(metadata), metadata);
		Map<String, @Nullable Object> tree = this.json.tree(before);
		if (patch != null) {
			merged(tree, parsed(patch));
		}
		int slash = before.getApiVersion().indexOf('/');
		Metadata<?> after = read(ResourceType.metadata(before.getApiVersion().substring(0, Math.max(slash, 0)),
				before.getApiVersion().substring(slash + 1), ANY, true), tree);
		describe(after);
		return after;
	}

	String generatedName(String prefix) {
		return prefix + ++this.version;
	}

	<C extends KubernetesObject> C read(ResourceType<C> of, Map<String, @Nullable Object> tree) {
		try {
			C object = this.json.read(of, this.json.write(tree));
			Objects.requireNonNull(object.getMetadata()).setResourceVersion(Long.toString(++this.version));
			return identified(of, object);
		}
		catch (MalformedResponseException ex) {
			throw new IllegalArgumentException("The %s is invalid or has no name".formatted(of.kind()), ex);
		}
	}

	<C extends KubernetesObject> C identified(ResourceType<?> of, C object) {
		V1ObjectMeta metadata = object.getMetadata();
		if (metadata == null || metadata.getName() == null) {
			throw new IllegalArgumentException("The %s has no metadata.name".formatted(of.kind()));
		}
		if (of.namespaced() && metadata.getNamespace() == null) {
			metadata.setNamespace("default");
		}
		if (metadata.getUid() == null) {
			metadata.setUid(UUID.nameUUIDFromBytes((of + "/" + ObjectKey.of(object)).getBytes(StandardCharsets.UTF_8))
				.toString());
		}
		if (metadata.getResourceVersion() == null) {
			metadata.setResourceVersion(Long.toString(this.version));
		}
		return object;
	}

	<C extends KubernetesObject> C remember(ResourceType<?> of, C object) {
		this.present.put(new Identity(of, ObjectKey.of(object)), object);
		return object;
	}

	@SuppressWarnings("unchecked") // the names of a tree are strings
	static Map<String, @Nullable Object> merged(Map<String, @Nullable Object> target,
			Map<String, @Nullable Object> patch) {
		patch.forEach((name, value) -> {
			if (value == null) {
				target.remove(name);
			}
			else if (value instanceof Map<?, ?> part) {
				Object old = target.get(name);
				target.put(name, merged(
						(old instanceof Map<?, ?> map) ? (Map<String, @Nullable Object>) map : new LinkedHashMap<>(),
						(Map<String, @Nullable Object>) part));
			}
			else {
				target.put(name, value);
			}
		});
		return target;
	}

	@SuppressWarnings("unchecked") // the names of an object of JSON are strings
	Map<String, @Nullable Object> parsed(String patch) {
		try {
			if (this.json.readUntyped(patch.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> map) {
				return (Map<String, @Nullable Object>) map;
			}
			throw new IllegalArgumentException("A merge patch is a JSON object");
		}
		catch (MalformedResponseException ex) {
			throw new IllegalArgumentException("The merge patch is not JSON", ex);
		}
	}

	/**
	 * Type and key of an object, from its metadata.
	 *
	 * @param apiVersion group and version
	 * @param kind the kind
	 * @param key the object
	 */
	private record Description(String apiVersion, String kind, ObjectKey key) {

		static Description of(Metadata<?> metadata) {
			return new Description(metadata.getApiVersion(), metadata.getKind(), ObjectKey.of(metadata));
		}

	}

	private record Identity(ResourceType<?> type, ObjectKey key) {

	}

}
