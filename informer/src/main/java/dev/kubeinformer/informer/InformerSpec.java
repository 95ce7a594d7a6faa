package dev.kubeinformer.informer;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.ReadableModels;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spi.FieldSelectorSyntax;
import dev.kubeinformer.spi.LabelSelector;
import dev.kubeinformer.types.Shard;

/**
 * Specification of an informer: the resource, its namespaces and the selected objects.
 * Equal specs share one cache and one watch. Immutable; the {@code with} methods return
 * changed copies.
 *
 * @param <T> the model class
 */
public final class InformerSpec<T extends KubernetesObject> {

	/** Label of RFC 1123, the format of namespaces in Kubernetes. */
	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	/** Name that the API server accepts in the path of an object. */
	private static final Pattern PATH_SEGMENT = Pattern.compile("(?!\\.{1,2}$)[^/%]+");

	private final ResourceType<T> type;

	private final Set<String> namespaces;

	private final @Nullable String labelSelector;

	private final @Nullable String fieldSelector;

	private final @Nullable String name;

	private final @Nullable Shard shard;

	private final @Nullable Shards shards;

	private final int pageSize;

	private InformerSpec(ResourceType<T> type, Set<String> namespaces, @Nullable String labelSelector,
			@Nullable String fieldSelector, @Nullable String name, @Nullable Shard shard, @Nullable Shards shards,
			int pageSize) {
		this.type = type;
		this.namespaces = namespaces;
		this.labelSelector = labelSelector;
		this.fieldSelector = fieldSelector;
		this.name = name;
		this.shard = shard;
		this.shards = shards;
		this.pageSize = pageSize;
	}

	/**
	 * Returns the spec of all objects of a class in the whole cluster.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the spec
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if the class does
	 * not map to a resource
	 * @throws dev.kubeinformer.resource.UnreadableClassException if objects of the class
	 * cannot be decoded
	 */
	public static <T extends KubernetesObject> InformerSpec<T> of(Class<T> objectClass) {
		return of(ResourceType.of(objectClass));
	}

	/**
	 * Returns the spec of all objects of a resource in the whole cluster.
	 * @param <T> the model class
	 * @param type the resource
	 * @return the spec
	 * @throws dev.kubeinformer.resource.UnreadableClassException if objects of its class
	 * cannot be decoded
	 */
	public static <T extends KubernetesObject> InformerSpec<T> of(ResourceType<T> type) {
		if (!type.isDynamic() && !type.isMetadata()) {
			ReadableModels.check(type.objectClass());
		}
		return new InformerSpec<>(type, Set.of(), null, null, null, null, null, 0);
	}

	/**
	 * Returns the spec of all objects of a resource in the whole cluster, without a model
	 * class. When the informer starts, it reads the kind and scope of the resource from
	 * the API server's discovery. If the resource does not exist, or namespaces were set
	 * for a cluster-scoped resource, the informer is
	 * {@link dev.kubeinformer.types.InformerState#NOT_FOUND}. Its last error then has the
	 * reason, and it retries until the resource exists.
	 * <p>
	 * All readers share the objects, and Gson's trees are mutable: copy an object with
	 * {@link dev.kubeinformer.Informers#copyOf(Object)} before you modify it.
	 * @param group the API group, empty for the core group
	 * @param version the API version within the group, such as {@code v1}
	 * @param plural the plural name of the resource, such as {@code widgets}
	 * @return the spec
	 * @throws IllegalArgumentException if one of the names is not valid
	 * @see ResourceType#parse(String)
	 */
	public static InformerSpec<DynamicKubernetesObject> dynamic(String group, String version, String plural) {
		return of(ResourceType.dynamic(group, version, plural));
	}

	/**
	 * Returns the spec of the metadata of all objects of a class in the whole cluster.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the spec
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if the class does
	 * not map to a resource
	 */
	public static <T extends KubernetesObject> InformerSpec<Metadata<T>> metadata(Class<T> objectClass) {
		return metadata(ResourceType.of(objectClass));
	}

	/**
	 * Returns the spec of the metadata of all objects of a resource in the whole cluster.
	 * @param <T> the model class
	 * @param type the resource
	 * @return the spec
	 */
	public static <T extends KubernetesObject> InformerSpec<Metadata<T>> metadata(ResourceType<T> type) {
		return of(type.metadata());
	}

	/**
	 * Returns the spec of the metadata of all objects of a resource without a model
	 * class.
	 * @param group the API group, empty for the core group
	 * @param version the API version within the group, such as {@code v1}
	 * @param plural the plural name, as in URLs and RBAC rules, such as {@code widgets}
	 * @param namespaced {@code true} if the objects belong to namespaces; {@code false}
	 * for a cluster-scoped resource
	 * @return the spec
	 * @throws IllegalArgumentException if one of the names is not valid, or a built-in
	 * resource has the other scope
	 */
	public static InformerSpec<Metadata<DynamicKubernetesObject>> metadata(String group, String version, String plural,
			boolean namespaced) {
		return of(ResourceType.metadata(group, version, plural, namespaced));
	}

	/**
	 * Narrows the spec to namespaces.
	 * @param namespaces the namespaces; empty for the whole cluster
	 * @return a copy for these namespaces
	 * @throws IllegalArgumentException if a namespace is blank or the resource is
	 * cluster-scoped
	 */
	public InformerSpec<T> withNamespaces(Collection<String> namespaces) {
		for (String namespace : namespaces) {
			if (!NAMESPACE.matcher(namespace).matches()) {
				throw new IllegalArgumentException(
						("'%s' is not the name of a namespace, which has up to 63 lower-case letters, "
								+ "digits and '-'")
							.formatted(namespace));
			}
		}
		if (!namespaces.isEmpty() && !this.type.namespaced()) {
			throw new IllegalArgumentException(
					"'%s' are cluster-scoped; an informer on them cannot be narrowed to the namespaces %s"
						.formatted(this.type.name(), namespaces));
		}
		return new InformerSpec<>(this.type, Collections.unmodifiableSet(new TreeSet<>(namespaces)), this.labelSelector,
				this.fieldSelector, this.name, this.shard, this.shards, this.pageSize);
	}

	/**
	 * Narrows the spec to namespaces.
	 * @param namespaces the namespaces; empty for the whole cluster
	 * @return a copy for these namespaces
	 * @throws IllegalArgumentException if a namespace is blank or the resource is
	 * cluster-scoped
	 */
	public InformerSpec<T> withNamespaces(String... namespaces) {
		return withNamespaces(List.of(namespaces));
	}

	/**
	 * Narrows the spec to objects with certain labels; the API server selects them.
	 * @param labelSelector the selector, such as {@code app=web,tier!=cache};
	 * {@code null} or blank for none
	 * @return a copy with that selector
	 * @throws IllegalArgumentException if the selector is not valid; the message has the
	 * position
	 */
	public InformerSpec<T> withLabelSelector(@Nullable String labelSelector) {
		if (labelSelector != null) {
			// Check it here, because the API server would reject every request.
			LabelSelector.parse(labelSelector);
		}
		return new InformerSpec<>(this.type, this.namespaces, blankToNull(labelSelector), this.fieldSelector, this.name,
				this.shard, this.shards, this.pageSize);
	}

	/**
	 * Narrows the spec to objects with certain field values; the API server selects them.
	 * @param fieldSelector the selector, such as {@code spec.nodeName=n1}; {@code null}
	 * or blank for none
	 * @return a copy with that selector
	 * @throws IllegalArgumentException if the syntax of the selector is not valid; only
	 * the API server knows the supported fields
	 */
	public InformerSpec<T> withFieldSelector(@Nullable String fieldSelector) {
		if (fieldSelector != null) {
			FieldSelectorSyntax.check(fieldSelector);
		}
		return new InformerSpec<>(this.type, this.namespaces, this.labelSelector, blankToNull(fieldSelector), this.name,
				this.shard, this.shards, this.pageSize);
	}

	/**
	 * Sets the id of the informer instead of the generated one. It is ignored when specs
	 * are compared.
	 * @param name the id
	 * @return a copy with that name
	 */
	public InformerSpec<T> named(String name) {
		return new InformerSpec<>(this.type, this.namespaces, this.labelSelector, this.fieldSelector, name, this.shard,
				this.shards, this.pageSize);
	}

	/**
	 * Narrows the spec to the objects of a shard. Objects of other shards are neither
	 * cached nor delivered, even if the API server does not filter them (KEP-5866).
	 * @param shard the shard; {@code null} for all objects
	 * @return the narrowed spec
	 */
	public InformerSpec<T> withShard(@Nullable Shard shard) {
		return new InformerSpec<>(this.type, this.namespaces, this.labelSelector, this.fieldSelector, this.name, shard,
				(shard != null) ? null : this.shards, this.pageSize);
	}

	/**
	 * Narrows the spec to the objects of the slots that this process holds. Objects of
	 * other slots are neither cached nor delivered, even if the API server does not
	 * filter them (KEP-5866). When this process gains a slot, its objects are delivered
	 * as additions marked as initial. When this process loses a slot, the objects of the
	 * slot leave the cache, and no deletions are delivered. Replaces
	 * {@link #withShard(Shard)}.
	 * @param shards the distribution of objects over the replicas; {@code null} for all
	 * objects
	 * @return the narrowed spec
	 */
	public InformerSpec<T> withShards(@Nullable Shards shards) {
		return new InformerSpec<>(this.type, this.namespaces, this.labelSelector, this.fieldSelector, this.name,
				(shards != null) ? null : this.shard, shards, this.pageSize);
	}

	/**
	 * Sets the number of objects per page of a list. Specs with different page sizes
	 * share an informer, which uses the page size of the first one.
	 * @param pageSize the number of objects; 0 for the page size of the
	 * {@linkplain dev.kubeinformer.Informers.Builder#pageSize(int) builder}
	 * @return the spec with that size
	 * @throws IllegalArgumentException if the number is negative
	 */
	public InformerSpec<T> withPageSize(int pageSize) {
		if (pageSize < 0) {
			throw new IllegalArgumentException("Page size '%d' must not be negative".formatted(pageSize));
		}
		return new InformerSpec<>(this.type, this.namespaces, this.labelSelector, this.fieldSelector, this.name,
				this.shard, this.shards, pageSize);
	}

	private static @Nullable String blankToNull(@Nullable String text) {
		return (text == null || text.isBlank()) ? null : text.strip();
	}

	/**
	 * Returns the stable id of the informer: its name, or {@code plural[.group]}, with
	 * the version in between for objects without a model class
	 * ({@code plural.version[.group]}). A narrowed spec appends {@code -} and eight
	 * hexadecimal digits.
	 * @return the id
	 */
	public String id() {
		if (this.name != null) {
			return this.name;
		}
		if (this.namespaces.isEmpty() && this.labelSelector == null && this.fieldSelector == null) {
			return prefix() + shardSuffix();
		}
		CRC32 digest = new CRC32();
		String text = String.join("\n", String.join(",", this.namespaces), Objects.toString(this.labelSelector, ""),
				Objects.toString(this.fieldSelector, ""));
		digest.update(text.getBytes(StandardCharsets.UTF_8));
		return "%s-%08x%s".formatted(prefix(), digest.getValue(), shardSuffix());
	}

	private String prefix() {
		// The version distinguishes the id from informers on another version or on a
		// model class.
		String resource = this.type.isDynamic() ? this.type.toString() : this.type.name();
		return this.type.isMetadata() ? resource + "-metadata" : resource;
	}

	private String shardSuffix() {
		if (this.shards != null) {
			return "-%s-slots".formatted(this.shards.division().key().name().toLowerCase(Locale.ROOT));
		}
		return (this.shard != null) ? "-%s-%d-of-%d".formatted(this.shard.key().name().toLowerCase(Locale.ROOT),
				this.shard.index(), this.shard.total()) : "";
	}

	/**
	 * Returns the resource that is cached.
	 * @return the resource
	 */
	public ResourceType<T> type() {
		return this.type;
	}

	/**
	 * Returns the namespaces that are cached.
	 * @return the namespaces in alphabetical order; empty for the whole cluster
	 */
	public Set<String> namespaces() {
		return this.namespaces;
	}

	/**
	 * Returns the label selector.
	 * @return the selector, or {@code null} for none
	 */
	public @Nullable String labelSelector() {
		return this.labelSelector;
	}

	/**
	 * Returns the field selector.
	 * @return the selector, or {@code null} for none
	 */
	public @Nullable String fieldSelector() {
		return this.fieldSelector;
	}

	/**
	 * Returns the shard.
	 * @return the shard, or {@code null} for all objects
	 */
	public @Nullable Shard shard() {
		return this.shard;
	}

	/**
	 * Returns the distribution of objects over the replicas.
	 * @return the distribution, or {@code null} without {@link #withShards(Shards)}
	 */
	public @Nullable Shards shards() {
		return this.shards;
	}

	/**
	 * Returns the number of objects per page of a list.
	 * @return the number; 0 for the page size of the
	 * {@linkplain dev.kubeinformer.Informers.Builder#pageSize(int) builder}
	 */
	public int pageSize() {
		return this.pageSize;
	}

	/**
	 * Returns the only object name that the field selector matches. At most one object in
	 * each namespace has this name. The API server treats the requirement
	 * {@code metadata.name=…} of a list or watch as the requested name, so that RBAC
	 * rules with {@code resourceNames} apply ({@code RequestInfoFactory} of
	 * k8s.io/apiserver).
	 * @return the name, or {@code null} if several names may match
	 */
	public @Nullable String objectName() {
		String name = (this.fieldSelector != null) ? FieldSelectorSyntax.exactValue(this.fieldSelector, "metadata.name")
				: null;
		return (name != null && PATH_SEGMENT.matcher(name).matches()) ? name : null;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return (this == other) || (other instanceof InformerSpec<?> that && this.type.equals(that.type)
				&& this.namespaces.equals(that.namespaces) && Objects.equals(this.labelSelector, that.labelSelector)
				&& Objects.equals(this.fieldSelector, that.fieldSelector) && Objects.equals(this.shard, that.shard)
				&& Objects.equals(this.shards, that.shards));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.type, this.namespaces, this.labelSelector, this.fieldSelector, this.shard,
				this.shards);
	}

	@Override
	public String toString() {
		return id();
	}

}
