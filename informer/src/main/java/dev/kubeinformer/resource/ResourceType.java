package dev.kubeinformer.resource;

import java.util.Collection;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * A resource of the Kubernetes API together with the class its objects are decoded to.
 * Immutable and comparable by value.
 *
 * @param <T> the model class
 */
public final class ResourceType<T extends KubernetesObject> {

	private final String group;

	private final String version;

	private final String plural;

	private final String kind;

	private final boolean namespaced;

	private final Class<T> objectClass;

	ResourceType(String group, String version, String plural, String kind, boolean namespaced, Class<T> objectClass) {
		this.group = group;
		this.version = version;
		this.plural = plural;
		this.kind = kind;
		this.namespaced = namespaced;
		this.objectClass = objectClass;
	}

	/**
	 * Finds the resource that a class stands for: a model of the official client, or a
	 * class with {@link KubernetesResource}.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the resource type
	 * @throws UnknownResourceTypeException if the class is neither, or the annotation
	 * names no resource
	 */
	public static <T extends KubernetesObject> ResourceType<T> of(Class<T> objectClass) {
		// First, because looking at the annotations of a class makes proxies of all that
		// it
		// has.
		BuiltInTypes.Entry entry = BuiltInTypes.find(objectClass.getName());
		if (entry != null) {
			return entry.toType(objectClass);
		}
		KubernetesResource annotation = objectClass.getAnnotation(KubernetesResource.class);
		if (annotation == null) {
			throw new UnknownResourceTypeException(objectClass);
		}
		return fromAnnotation(objectClass, annotation);
	}

	/**
	 * Lists the types that kube-apiserver serves by itself. Their model classes are
	 * loaded by this call.
	 * @return all built-in types
	 */
	public static Collection<ResourceType<?>> builtIn() {
		return BuiltInTypes.all();
	}

	private static <T extends KubernetesObject> ResourceType<T> fromAnnotation(Class<T> objectClass,
			KubernetesResource annotation) {
		String kind = annotation.kind().isEmpty() ? objectClass.getSimpleName() : annotation.kind();
		requireText(objectClass, "version", annotation.version());
		requireText(objectClass, "plural", annotation.plural());
		return new ResourceType<>(annotation.group(), annotation.version(), annotation.plural(), kind,
				annotation.namespaced(), objectClass);
	}

	private static void requireText(Class<?> objectClass, String attribute, String value) {
		if (value.isBlank() || value.indexOf('/') >= 0) {
			throw new UnknownResourceTypeException(objectClass,
					"its @KubernetesResource has the %s '%s', and a name without '/' is needed".formatted(attribute,
							value));
		}
	}

	/**
	 * Returns the API group.
	 * @return the group, empty for the core group
	 */
	public String group() {
		return this.group;
	}

	/**
	 * Returns the API version within the group.
	 * @return the version, such as {@code v1}
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Returns the plural name, as in URLs and RBAC rules.
	 * @return the plural, such as {@code pods}
	 */
	public String plural() {
		return this.plural;
	}

	/**
	 * Returns the kind of the objects.
	 * @return the kind, such as {@code Pod}
	 */
	public String kind() {
		return this.kind;
	}

	/**
	 * Returns whether the objects live in namespaces.
	 * @return {@code false} for cluster-scoped resources
	 */
	public boolean namespaced() {
		return this.namespaced;
	}

	/**
	 * Returns the class that objects are decoded to.
	 * @return the model class
	 */
	public Class<T> objectClass() {
		return this.objectClass;
	}

	/**
	 * Returns group and version as objects carry them.
	 * @return the {@code apiVersion}, such as {@code apps/v1}
	 */
	public String apiVersion() {
		return this.group.isEmpty() ? this.version : this.group + "/" + this.version;
	}

	/**
	 * Returns the name of the resource among all groups, as {@code kubectl} and RBAC know
	 * it.
	 * @return {@code plural}, or {@code plural.group} outside the core group
	 */
	public String name() {
		return this.group.isEmpty() ? this.plural : this.plural + "." + this.group;
	}

	/**
	 * Returns the path of the collection on the API server.
	 * @param namespace the namespace, or {@code null} for the collection of the whole
	 * cluster
	 * @return the absolute path, such as {@code /api/v1/namespaces/default/pods}
	 */
	public String path(@Nullable String namespace) {
		String prefix = this.group.isEmpty() ? "/api/" : "/apis/";
		String scope = (namespace != null) ? "/namespaces/" + namespace : "";
		return prefix + apiVersion() + scope + "/" + this.plural;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return (this == other) || (other instanceof ResourceType<?> that && this.group.equals(that.group)
				&& this.version.equals(that.version) && this.plural.equals(that.plural) && this.kind.equals(that.kind)
				&& this.namespaced == that.namespaced && this.objectClass == that.objectClass);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.group, this.version, this.plural, this.objectClass);
	}

	@Override
	public String toString() {
		return this.plural + "." + this.version + (this.group.isEmpty() ? "" : "." + this.group);
	}

}
