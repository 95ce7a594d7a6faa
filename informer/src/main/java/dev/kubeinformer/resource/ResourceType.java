package dev.kubeinformer.resource;

import java.util.Collection;
import java.util.Objects;
import java.util.regex.Pattern;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Resource of the Kubernetes API with the model class of its objects. Immutable and
 * comparable by value.
 *
 * @param <T> the model class
 */
public final class ResourceType<T extends KubernetesObject> {

	/**
	 * Name of the class of dynamic objects. It is only a name, because most applications
	 * never load the class.
	 */
	private static final String DYNAMIC = "io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject";

	/** Label of RFC 1123, the format of versions in Kubernetes. */
	private static final Pattern VERSION = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	/** Labels of RFC 1123 separated by dots, the format of groups in Kubernetes. */
	private static final Pattern GROUP = Pattern.compile(VERSION.pattern() + "(\\." + VERSION.pattern() + ")*");

	/**
	 * Format of plurals. It also accepts upper case, which Kubernetes does not: if
	 * somebody has written a kind instead of a plural, discovery reports that and names
	 * the plural.
	 */
	private static final Pattern PLURAL = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?");

	private static final Pattern NUMBERED_VERSION = Pattern.compile("v[0-9][-a-z0-9]*");

	private final String group;

	private final String version;

	private final String plural;

	private final String kind;

	private final boolean namespaced;

	private final Class<T> objectClass;

	/**
	 * Class of the whole objects. The metadata form of a resource has another model
	 * class, {@link Metadata}.
	 */
	private final Class<? extends KubernetesObject> describedClass;

	ResourceType(String group, String version, String plural, String kind, boolean namespaced, Class<T> objectClass) {
		this(group, version, plural, kind, namespaced, objectClass, objectClass);
	}

	private ResourceType(String group, String version, String plural, String kind, boolean namespaced,
			Class<T> objectClass, Class<? extends KubernetesObject> describedClass) {
		this.group = group;
		this.version = version;
		this.plural = plural;
		this.kind = kind;
		this.namespaced = namespaced;
		this.objectClass = objectClass;
		this.describedClass = describedClass;
	}

	/**
	 * Finds the resource of a class. The class is a model of the official client or has
	 * {@link KubernetesResource}.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the resource type
	 * @throws UnknownResourceTypeException if the class is neither such a model nor has
	 * the annotation, or if the annotation is not valid
	 */
	public static <T extends KubernetesObject> ResourceType<T> of(Class<T> objectClass) {
		// Check this first, because reading the annotations of a class creates proxies
		// for all of them.
		BuiltInTypes.Entry entry = BuiltInTypes.find(objectClass.getName());
		if (entry != null) {
			return entry.toType(objectClass);
		}
		KubernetesResource annotation = objectClass.getAnnotation(KubernetesResource.class);
		if (objectClass.getName().equals(DYNAMIC)) {
			throw new UnknownResourceTypeException(objectClass,
					"the class is used for many resources; name the resource by group, version and "
							+ "plural, as in 'widgets.v1.example.com'");
		}
		if (annotation == null) {
			throw new UnknownResourceTypeException(objectClass);
		}
		return fromAnnotation(objectClass, annotation);
	}

	/**
	 * Returns a resource whose objects do not need a model class. They are decoded to the
	 * official client's {@link DynamicKubernetesObject}, a JSON tree. An informer reads
	 * the kind and scope of the resource from the API server when it starts.
	 * @param group the API group, empty for the core group
	 * @param version the API version within the group, such as {@code v1}
	 * @param plural the plural name, as in URLs and RBAC rules, such as {@code widgets}
	 * @return the resource; see {@link #isDynamic()} about its kind and scope
	 * @throws IllegalArgumentException if one of the names is not valid
	 * @see #parse(String)
	 */
	public static ResourceType<DynamicKubernetesObject> dynamic(String group, String version, String plural) {
		requireName("API group", group, group.isEmpty() || GROUP.matcher(group).matches());
		requireName("API version", version, VERSION.matcher(version).matches());
		requireName("plural of a resource", plural, PLURAL.matcher(plural).matches());
		BuiltInTypes.Entry entry = BuiltInTypes.find(group, version, plural);
		return (entry != null) ? entry.toType(DynamicKubernetesObject.class)
				: new ResourceType<>(group, version, plural, "", true, DynamicKubernetesObject.class);
	}

	private static void requireName(String role, String name, boolean valid) {
		if (!valid) {
			throw new IllegalArgumentException("'%s' is not a valid %s".formatted(name, role));
		}
	}

	/**
	 * Returns a {@linkplain #dynamic dynamic} resource by its name in the format of
	 * {@code kubectl}: plural, version and group, separated by dots
	 * ({@code schema.ParseResourceArg} of k8s.io/apimachinery).
	 * @param name the name, such as {@code widgets.v1.example.com}, or {@code pods.v1.}
	 * for the core group
	 * @return the resource
	 * @throws IllegalArgumentException if the name is not valid; the message shows the
	 * format
	 */
	public static ResourceType<DynamicKubernetesObject> parse(String name) {
		String[] parts = name.split("\\.", 3);
		if (parts.length < 3 || !NUMBERED_VERSION.matcher(parts[1]).matches()) {
			throw new IllegalArgumentException(
					("'%s' is not a resource name of plural, version and group; use the form "
							+ "'widgets.v1.example.com', or 'pods.v1.' for the core group")
						.formatted(name));
		}
		return dynamic(parts[2], parts[1], parts[0]);
	}

	/**
	 * Returns the metadata form of a resource without a model class, such as a custom
	 * resource of another project. An informer on it reads and caches only the
	 * {@link Metadata} of the objects. If the resource is not built in, an informer
	 * checks its kind and scope with the API server when it starts.
	 * @param group the API group, empty for the core group
	 * @param version the API version within the group, such as {@code v1}
	 * @param plural the plural name, as in URLs and RBAC rules, such as {@code widgets}
	 * @param namespaced {@code true} if the objects belong to namespaces; {@code false}
	 * for a cluster-scoped resource
	 * @return the metadata form of the resource
	 * @throws IllegalArgumentException if one of the names is not valid, or if
	 * {@code namespaced} is wrong for a built-in resource
	 */
	public static ResourceType<Metadata<DynamicKubernetesObject>> metadata(String group, String version, String plural,
			boolean namespaced) {
		ResourceType<DynamicKubernetesObject> type = dynamic(group, version, plural);
		if (type.namespaced != namespaced && !type.kind.isEmpty()) {
			throw new IllegalArgumentException(
					"'%s' are %s".formatted(type.name(), type.namespaced ? "namespaced" : "cluster-scoped"));
		}
		return new ResourceType<>(group, version, plural, type.kind, namespaced, DynamicKubernetesObject.class)
			.metadata();
	}

	/**
	 * Returns the metadata form of this resource. An informer on it reads and caches only
	 * the {@link Metadata} of the objects.
	 * @return the metadata form; this resource itself if it is a metadata form
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public ResourceType<Metadata<T>> metadata() {
		return isMetadata() ? (ResourceType) this : new ResourceType<>(this.group, this.version, this.plural, this.kind,
				this.namespaced, (Class) Metadata.class, this.objectClass);
	}

	/**
	 * Lists the types that are built into kube-apiserver. This call loads their model
	 * classes.
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
					"its @KubernetesResource has an invalid %s '%s': use a name without '/'".formatted(attribute,
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
	 * @return the kind, such as {@code Pod}; empty for a {@linkplain #isDynamic()
	 * dynamic} resource that is not built in, because only the API server knows its kind
	 */
	public String kind() {
		return this.kind;
	}

	/**
	 * Returns whether the objects belong to namespaces.
	 * @return {@code false} for cluster-scoped resources; {@code true} also for a
	 * {@linkplain #isDynamic() dynamic} resource that is not built in, because only the
	 * API server knows its scope
	 */
	public boolean namespaced() {
		return this.namespaced;
	}

	/**
	 * Returns the model class of the objects.
	 * @return the model class
	 */
	public Class<T> objectClass() {
		return this.objectClass;
	}

	/**
	 * Returns whether objects are decoded to their {@link Metadata} only.
	 * @return {@code true} if this is the metadata form of a resource
	 */
	public boolean isMetadata() {
		return this.objectClass != this.describedClass;
	}

	/**
	 * Returns the class of the whole objects.
	 * @return the model class; for a {@linkplain #isMetadata() metadata form}, the class
	 * of the whole objects
	 */
	public Class<? extends KubernetesObject> describedClass() {
		return this.describedClass;
	}

	/**
	 * Returns whether the resource has no model class: its objects are decoded to
	 * {@link DynamicKubernetesObject}, or this is the metadata form of such a resource.
	 * If such a resource is not built in, its kind and scope are unknown until an
	 * informer has read them from the API server.
	 * @return {@code true} if the resource is dynamic
	 */
	public boolean isDynamic() {
		return this.describedClass.getName().equals(DYNAMIC);
	}

	/**
	 * Returns group and version in the form of the field {@code apiVersion} of objects.
	 * @return the {@code apiVersion}, such as {@code apps/v1}
	 */
	public String apiVersion() {
		return this.group.isEmpty() ? this.version : this.group + "/" + this.version;
	}

	/**
	 * Returns the name that identifies the resource among all API groups, in the format
	 * of {@code kubectl}.
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
				&& this.namespaced == that.namespaced && this.objectClass == that.objectClass
				&& this.describedClass == that.describedClass);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.group, this.version, this.plural, this.objectClass, this.describedClass);
	}

	@Override
	public String toString() {
		return this.plural + "." + this.version + (this.group.isEmpty() ? "" : "." + this.group);
	}

}
