package dev.kubeinformer.test.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import dev.kubeinformer.test.internal.builtin.AppliedShape;
import dev.kubeinformer.test.internal.builtin.BuiltInRules;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ObjectType;
import dev.kubeinformer.test.internal.builtin.Decoding;
import dev.kubeinformer.test.internal.builtin.Defaults;
import dev.kubeinformer.test.internal.builtin.JobSelector;
import dev.kubeinformer.test.internal.builtin.ServiceDefaults;
import dev.kubeinformer.test.internal.builtin.ServicePorts;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.Subresources;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Checks and completes the objects of built-in types that clients write, by their
 * published schemas and the most common rules of kube-apiserver. Objects that a test
 * stores directly are neither checked nor changed.
 */
public final class BuiltInObjects {

	private static final GroupResource SERVICES = new GroupResource("", "services");

	private static final GroupResource JOBS = new GroupResource("batch", "jobs");

	private static final String SPEC = "spec";

	private static final String FINALIZERS = "metadata.finalizers";

	private final boolean enabled;

	private final AtomicInteger services = new AtomicInteger();

	/**
	 * Creates the checks.
	 * @param enabled {@code false} to accept any content
	 */
	public BuiltInObjects(boolean enabled) {
		this.enabled = enabled;
	}

	boolean covers(ResourceDefinition type, WriteOptions options) {
		return schema(type, options) != null;
	}

	private @Nullable ObjectType schema(ResourceDefinition type, WriteOptions options) {
		boolean other = type.isCustom() || "apiextensions.k8s.io".equals(type.group());
		return (this.enabled && options.overHttp() && !other) ? BuiltInSchemas.shared().of(type) : null;
	}

	/**
	 * Reads an object as a client sent it, and drops the fields that its type does not
	 * have.
	 * @param type its resource
	 * @param object the object
	 * @param options the options of the write
	 * @param before the object before the patch, if the object is the result of one;
	 * otherwise {@code null}
	 * @throws RequestFailure 400 if a value has another type, or if a field is unknown
	 * and the client asks for strict validation; 422 for the result of a patch
	 */
	void decode(ResourceDefinition type, ObjectNode object, WriteOptions options, @Nullable ObjectNode before) {
		ObjectType schema = schema(type, options);
		if (schema == null) {
			return;
		}
		String given = (before != null) ? object.toString() : "";
		// The object may have fields of another version of its type, which must stay.
		Set<String> other = (before != null) ? unknown(schema, before) : Set.of();
		Decoding decoding = Decoding.of(BuiltInSchemas.shared(), schema, object, (path) -> !other.contains(path));
		String error = decoding.error();
		if (error != null) {
			throw undecodable(type, given, error);
		}
		if (options.apply()) {
			return;
		}
		List<String> complaints = options.fields()
			.report(decoding.unknown().stream().filter((path) -> !other.contains(path)).toList());
		if (!complaints.isEmpty()) {
			throw undecodable(type, given, "strict decoding error: " + String.join(", ", complaints));
		}
	}

	private static Set<String> unknown(ObjectType schema, ObjectNode object) {
		return Set.copyOf(Decoding.of(BuiltInSchemas.shared(), schema, object, (path) -> false).unknown());
	}

	private static RequestFailure undecodable(ResourceDefinition type, String patched, String why) {
		if (patched.isEmpty()) {
			return Statuses.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
					+ type.kind() + ": " + why);
		}
		return Rejection.ofPatch("Invalid value: " + StringNode.valueOf(patched) + ": " + why);
	}

	/**
	 * Checks a configuration that is applied.
	 * @param type its resource
	 * @param configuration the configuration
	 * @param options the options of the write
	 * @throws RequestFailure 500 for unknown fields and values of other types
	 */
	void checkConfiguration(ResourceDefinition type, ObjectNode configuration, WriteOptions options) {
		ObjectType schema = schema(type, options);
		if (schema == null) {
			return;
		}
		JsonNode metadata = configuration.path("metadata");
		String name = "(" + metadata.path("namespace").asString("") + "/" + metadata.path("name").asString("") + "; "
				+ ((type.group().isEmpty()) ? "/" : "") + type.groupVersion() + ", Kind=" + type.kind() + ")";
		List<String> errors = AppliedShape.errors(BuiltInSchemas.shared(), schema, configuration);
		if (!errors.isEmpty()) {
			throw Statuses.unexpected("failed to create typed patch object " + name + ": "
					+ ((errors.size() == 1) ? errors.get(0) : "errors:\n  " + String.join("\n  ", errors)));
		}
		String error = Decoding.of(BuiltInSchemas.shared(), schema, configuration.deepCopy()).error();
		if (error != null) {
			throw Statuses.unexpected("failed to convert new object " + name + " to proper version: unable to convert "
					+ "unstructured object to " + ((type.group().isEmpty()) ? "/" : "") + type.groupVersion()
					+ ", Kind=" + type.kind() + ": " + error);
		}
	}

	/**
	 * Fills in the defaults.
	 * @param type the resource
	 * @param object the object
	 * @param options the options of the write
	 */
	void fillIn(ResourceDefinition type, ObjectNode object, WriteOptions options) {
		ObjectType schema = schema(type, options);
		if (schema != null) {
			Defaults.shared().fillIn(schema, object);
		}
	}

	/**
	 * Checks a new object, and sets the values that kube-apiserver assigns, such as the
	 * address of a Service.
	 * @param type its resource
	 * @param object the object
	 * @param options the options of the write
	 * @throws RequestFailure 422 if it is not valid
	 */
	void checkCreate(ResourceDefinition type, ObjectNode object, WriteOptions options) {
		if (JOBS.equals(type.resource())) {
			JobSelector.generate(object);
		}
		boolean service = SERVICES.equals(type.resource());
		if (service) {
			ServiceDefaults.pair(object.withObjectProperty(SPEC));
			ServicePorts.create(object, this.services.incrementAndGet());
		}
		List<Rejection> rejections = metadata(type, object);
		rejections.addAll(BuiltInRules.create(type, object));
		rejections.addAll(LeaseRules.rejections(type, object));
		reject(type, object, rejections);
		if (JOBS.equals(type.resource())) {
			JobSelector.label(object);
		}
		if (service) {
			ServiceDefaults.allocate(object.withObjectProperty(SPEC), this.services.incrementAndGet());
		}
	}

	private static List<Rejection> metadata(ResourceDefinition type, ObjectNode object) {
		List<Rejection> rejections = BuiltInRules.metadata(type, object);
		rejections.addAll(OwnerRules.rejections(object.path("metadata")));
		if (!object.path("metadata").path("finalizers").isEmpty()) {
			rejections.addAll(BuiltInRules.finalizers(object));
			Names.rejections(type, object.withObject("metadata"), FieldChecks.NONE)
				.stream()
				.filter((rejection) -> rejection.field().startsWith(FINALIZERS))
				.forEach(rejections::add);
		}
		return rejections;
	}

	/**
	 * Restores values that kube-apiserver has assigned and that an update leaves out.
	 * @param type the resource
	 * @param before the object before the update
	 * @param object the object
	 */
	void keep(ResourceDefinition type, ObjectNode before, ObjectNode object) {
		if (SERVICES.equals(type.resource())) {
			ServiceDefaults.keep(object.withObjectProperty(SPEC), before.path(SPEC));
		}
	}

	/**
	 * Checks a changed object.
	 * @param type its resource
	 * @param before the object before the update
	 * @param object the object
	 * @param options the options of the write
	 * @throws RequestFailure 422 if it is not valid
	 */
	void checkUpdate(ResourceDefinition type, ObjectNode before, ObjectNode object, WriteOptions options) {
		if (SERVICES.equals(type.resource()) && options.subresource().isEmpty()) {
			ServicePorts.update(object, before, this.services.incrementAndGet());
		}
		List<Rejection> rejections = new ArrayList<>(metadata(type, object));
		if (!rejections.isEmpty()) {
			rejections.removeAll(metadata(type, before));
		}
		if (!Subresources.STATUS.equals(options.subresource())) {
			rejections.addAll(BuiltInRules.update(type, before, object));
			List<Rejection> leases = new ArrayList<>(LeaseRules.rejections(type, object));
			if (!leases.isEmpty()) {
				leases.removeAll(LeaseRules.rejections(type, before));
			}
			rejections.addAll(leases);
		}
		reject(type, object, rejections);
		if (SERVICES.equals(type.resource()) && options.subresource().isEmpty()) {
			ServiceDefaults.allocate(object.withObjectProperty(SPEC), this.services.incrementAndGet());
		}
	}

	private static void reject(ResourceDefinition type, JsonNode object, List<Rejection> rejections) {
		if (!rejections.isEmpty()) {
			throw Rejection.of(type, object.path("metadata").path("name").asString(""),
					rejections.toArray(Rejection[]::new));
		}
	}

}
