package dev.kubeinformer.test.internal.builtin;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.Field;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.Form;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ObjectType;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ValueType;
import dev.kubeinformer.test.internal.json.Json;

/**
 * Sets the defaults of the fields of built-in types. Most defaults are in a table; some
 * depend on other fields of the object.
 */
public final class Defaults {

	private static final JsonPointer POD_LABELS = JsonPointer.compile("/spec/template/metadata/labels");

	private static final String TABLE = "built-in-defaults.txt";

	private static final String RBAC = "rbac.authorization.k8s.io";

	private static final String ROLLING = "RollingUpdate";

	private final BuiltInSchemas schemas;

	private final Map<String, List<Entry>> entries;

	private Defaults(BuiltInSchemas schemas, Map<String, List<Entry>> entries) {
		this.schemas = schemas;
		this.entries = entries;
	}

	public static Defaults shared() {
		return Holder.SHARED;
	}

	private static Defaults load() {
		Map<String, List<Entry>> entries = new HashMap<>();
		InputStream table = Objects.requireNonNull(Defaults.class.getResourceAsStream(TABLE), TABLE);
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
			reader.lines().filter((line) -> !line.startsWith("#")).forEach((line) -> {
				String[] words = line.split(" ");
				entries.computeIfAbsent(words[0], (type) -> new ArrayList<>())
					.add(new Entry(words[1], Json.read(Json.utf8(words[2])),
							words.length > 3 && "zero".equals(words[3]),
							words.length > 3 && "pointer".equals(words[3])));
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new Defaults(BuiltInSchemas.shared(), entries);
	}

	/**
	 * Fills in the defaults of an object.
	 * @param type its type
	 * @param object the object
	 */
	public void fillIn(ObjectType type, ObjectNode object) {
		boolean labelled = "~batch.v1.Job".equals(type.name()) && object.at(POD_LABELS).isObject();
		dropEmpty(type, object);
		for (Entry entry : this.entries.getOrDefault(type.name(), List.of())) {
			if (entry.isAbsent(object.get(entry.field))) {
				object.set(entry.field, entry.value.deepCopy());
			}
		}
		switch (type.name()) {
			case "~apps.v1.DaemonSetUpdateStrategy", "~apps.v1.DeploymentStrategy" -> rolling(object);
			case "~apps.v1.StatefulSetSpec" -> statefulSet(object);
			case "~batch.v1.Job" -> job(object);
			case "~core.v1.Container" -> pullPolicy(object);
			case "~core.v1.PodSpec" -> serviceAccount(object);
			case "~core.v1.ReplicationController" -> replicationController(object);
			case "~core.v1.Volume" -> {
				if (object.size() - ((object.has("name")) ? 1 : 0) == 0) {
					object.putObject("emptyDir");
				}
			}
			case "~networking.v1.NetworkPolicySpec" -> policyTypes(object);
			case "~rbac.v1.ClusterRoleBinding", "~rbac.v1.RoleBinding" -> object.withObjectProperty("roleRef");
			case "~rbac.v1.Subject" -> {
				boolean group = List.of("User", "Group").contains(object.path("kind").asString(""));
				if (group && object.path("apiGroup").asString("").isEmpty()) {
					object.put("apiGroup", RBAC);
				}
			}
			default -> {
			}
		}
		for (Map.Entry<String, JsonNode> property : object.properties()) {
			Field field = type.field(property.getKey());
			if (field != null) {
				value(field.type(), property.getValue());
			}
		}
		if (labelled) {
			// An empty map of labels matters for a new Job, see JobSelector.
			object.withObject(POD_LABELS);
		}
		published(type, object);
		switch (type.name()) {
			case "~core.v1.Pod" -> PodDefaults.pod(object);
			case "~core.v1.ServiceSpec" -> ServiceDefaults.service(object);
			default -> {
			}
		}
	}

	// Go omits empty lists and maps, which the official client sends.
	private static void dropEmpty(ObjectType type, ObjectNode object) {
		object.remove(object.properties().stream().filter((property) -> {
			Field field = type.field(property.getKey());
			return field != null && (field.type().form() == Form.LIST || field.type().form() == Form.MAP)
					&& property.getValue().isContainer() && property.getValue().isEmpty();
		}).map(Map.Entry::getKey).toList());
	}

	private void published(ObjectType type, ObjectNode object) {
		for (Field field : type.completed()) {
			JsonNode value = field.defaultValue();
			if (value != null && (object.path(field.name()).isMissingNode()
					|| (value.isString() && object.path(field.name()).asString("").isEmpty()))) {
				object.set(field.name(), value.deepCopy());
			}
		}
	}

	private void value(ValueType type, JsonNode value) {
		if (type.form() == Form.OBJECT && value instanceof ObjectNode object) {
			fillIn(this.schemas.type(type.name()), object);
		}
		else if (type.form() == Form.LIST && type.item().form() == Form.OBJECT && value instanceof ArrayNode list) {
			list.forEach((item) -> value(type.item(), item));
		}
		else if (type.form() == Form.MAP && type.item().form() == Form.OBJECT) {
			value.forEach((item) -> value(type.item(), item));
		}
	}

	private static void rolling(ObjectNode strategy) {
		if (ROLLING.equals(strategy.path("type").asString("")) && !strategy.has("rollingUpdate")) {
			strategy.putObject("rollingUpdate");
		}
	}

	private static void statefulSet(ObjectNode spec) {
		ObjectNode strategy = spec.withObjectProperty("updateStrategy");
		if (strategy.path("type").asString("").isEmpty()) {
			strategy.put("type", ROLLING);
			if (!strategy.has("rollingUpdate")) {
				strategy.putObject("rollingUpdate");
			}
		}
		for (JsonNode claim : spec.path("volumeClaimTemplates")) {
			if (claim instanceof ObjectNode object) {
				object.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
				ObjectNode status = object.withObjectProperty("status");
				if (!status.has("phase")) {
					status.put("phase", "Pending");
				}
			}
		}
	}

	private static void job(ObjectNode job) {
		ObjectNode spec = job.withObjectProperty("spec");
		if (!spec.has("completions") && !spec.has("parallelism")) {
			spec.put("completions", 1);
		}
		set(spec, "parallelism", 1);
		set(spec, "backoffLimit", (spec.has("backoffLimitPerIndex")) ? Integer.MAX_VALUE : 6);
		if (!spec.has("completionMode")) {
			spec.put("completionMode", "NonIndexed");
		}
		for (String flag : List.of("suspend", "manualSelector")) {
			if (!spec.has(flag)) {
				spec.put(flag, false);
			}
		}
		if (!spec.has("podReplacementPolicy")) {
			spec.put("podReplacementPolicy", (spec.has("podFailurePolicy")) ? "Failed" : "TerminatingOrFailed");
		}
		labels(job, spec.path("template").path("metadata").path("labels"));
	}

	private static void replicationController(ObjectNode controller) {
		ObjectNode spec = controller.withObjectProperty("spec");
		JsonNode labels = spec.path("template").path("metadata").path("labels");
		if (labels.isObject()) {
			if (spec.path("selector").isEmpty()) {
				spec.set("selector", labels.deepCopy());
			}
			labels(controller, labels);
		}
	}

	private static void labels(ObjectNode object, JsonNode labels) {
		ObjectNode metadata = object.withObjectProperty("metadata");
		if (labels.isObject() && !labels.isEmpty() && metadata.path("labels").isEmpty()) {
			metadata.set("labels", labels.deepCopy());
		}
	}

	private static void set(ObjectNode object, String field, int value) {
		if (!object.has(field)) {
			object.put(field, value);
		}
	}

	private static void pullPolicy(ObjectNode container) {
		if (container.path("imagePullPolicy").asString("").isEmpty()) {
			String image = container.path("image").asString("");
			String name = image.substring(image.lastIndexOf('/') + 1);
			boolean latest = name.endsWith(":latest") || (!name.contains(":") && !name.contains("@"));
			container.put("imagePullPolicy", (latest && !image.isEmpty()) ? "Always" : "IfNotPresent");
		}
	}

	private static void serviceAccount(ObjectNode spec) {
		String account = spec.path("serviceAccountName").asString("");
		String deprecated = spec.path("serviceAccount").asString("");
		if (!account.isEmpty()) {
			spec.put("serviceAccount", account);
		}
		else if (!deprecated.isEmpty()) {
			spec.put("serviceAccountName", deprecated);
		}
	}

	private static void policyTypes(ObjectNode spec) {
		if (spec.path("policyTypes").isEmpty()) {
			ArrayNode types = spec.putArray("policyTypes").add("Ingress");
			if (!spec.path("egress").isEmpty()) {
				types.add("Egress");
			}
		}
	}

	/**
	 * Default of a field.
	 *
	 * @param field the field
	 * @param value its value
	 * @param zero {@code true} if 0 counts as absent; {@code false} if it counts as a
	 * value
	 * @param pointer {@code true} if an empty text counts as a value, because the field
	 * is a pointer in Go; {@code false} if it counts as absent
	 */
	private record Entry(String field, JsonNode value, boolean zero, boolean pointer) {

		boolean isAbsent(@Nullable JsonNode given) {
			return given == null || given.isNull() || (!this.pointer && given.isString() && given.asString().isEmpty())
					|| (given.isArray() && given.isEmpty()) || (this.zero && given.isNumber() && given.asLong() == 0);
		}

	}

	/**
	 * Loads the table on first use.
	 */
	private static final class Holder {

		private static final Defaults SHARED = load();

	}

}
