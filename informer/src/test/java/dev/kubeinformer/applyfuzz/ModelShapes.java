package dev.kubeinformer.applyfuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.applyfuzz.Shape.Kind;
import dev.kubeinformer.resource.ResourceType;

/**
 * Shapes of the models of the official client, with what the table of the embedded API
 * says about their lists.
 */
final class ModelShapes {

	private static final String TABLE = "dev/kubeinformer/test/internal/patch/built-in-patch-types.txt";

	/** Fields that a random choice would break rather than change. */
	private static final Set<String> LEFT_OUT = Set.of("status", "managedFields", "apiVersion", "kind", "rules",
			"ephemeralContainers", "deletionTimestamp", "finalizers", "ownerReferences", "revision", "nodeName",
			"schedulerName", "suspend", "selector", "preferredHolder", "strategy", "globalDefault", "clusterIP",
			"clusterIPs", "nodePort", "healthCheckNodePort", "ipFamilies");

	private static final Map<String, List<String>> VALUES = new HashMap<>();
	static {
		VALUES.put("protocol", List.of("TCP", "UDP", "SCTP"));
		VALUES.put("imagePullPolicy", List.of("Always", "IfNotPresent", "Never"));
		VALUES.put("dnsPolicy", List.of("ClusterFirst", "Default"));
		VALUES.put("effect", List.of("NoSchedule", "PreferNoSchedule", "NoExecute"));
		VALUES.put("operator", List.of("Exists", "In", "NotIn", "Equal"));
		VALUES.put("policyTypes", List.of("Ingress", "Egress"));
		VALUES.put("pathType", List.of("Prefix", "Exact", "ImplementationSpecific"));
		VALUES.put("path", List.of("/a", "/b", "/c"));
		VALUES.put("subPath", List.of("a", "b"));
		VALUES.put("mountPath", List.of("/m/a", "/m/b", "/m/c", "/m/d"));
		VALUES.put("devicePath", List.of("/d/a", "/d/b"));
		VALUES.put("scheme", List.of("HTTP", "HTTPS"));
		VALUES.put("whenUnsatisfiable", List.of("DoNotSchedule", "ScheduleAnyway"));
		VALUES.put("topologyKey", List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone"));
		VALUES.put("concurrencyPolicy", List.of("Allow", "Forbid", "Replace"));
		VALUES.put("verbs", List.of("get", "list", "watch", "create"));
		VALUES.put("apiGroups", List.of("", "apps", "batch"));
		VALUES.put("accessModes", List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"));
		VALUES.put("schedule", List.of("* * * * *", "0 1 * * *", "@daily"));
		VALUES.put("ip", List.of("10.0.0.1", "10.0.0.2", "10.0.0.3"));
		VALUES.put("addresses", List.of("10.0.0.1", "10.0.0.2", "10.0.0.3"));
		VALUES.put("externalIPs", List.of("10.1.0.1", "10.1.0.2"));
		VALUES.put("cidr", List.of("10.0.0.0/8", "10.1.0.0/16"));
		VALUES.put("terminationMessagePolicy", List.of("File", "FallbackToLogsOnError"));
		VALUES.put("sessionAffinity", List.of("None", "ClientIP"));
		VALUES.put("externalTrafficPolicy", List.of("Cluster", "Local"));
		VALUES.put("internalTrafficPolicy", List.of("Cluster", "Local"));
		VALUES.put("failurePolicy", List.of("Fail", "Ignore"));
		VALUES.put("sideEffects", List.of("None", "NoneOnDryRun"));
		VALUES.put("matchPolicy", List.of("Exact", "Equivalent"));
		VALUES.put("reclaimPolicy", List.of("Delete", "Retain"));
		VALUES.put("volumeBindingMode", List.of("Immediate", "WaitForFirstConsumer"));
		VALUES.put("podManagementPolicy", List.of("OrderedReady", "Parallel"));
		VALUES.put("add", List.of("NET_ADMIN", "SYS_TIME", "CHOWN"));
		VALUES.put("drop", List.of("ALL", "MKNOD"));
		VALUES.put("expression", List.of("true", "1 == 1", "false || true"));
		VALUES.put("fieldPath", List.of("metadata.name", "metadata.namespace"));
		VALUES.put("mountPropagation", List.of("None"));
		VALUES.put("host", List.of("a.example.com", "b.example.com"));
		VALUES.put("hosts", List.of("a.example.com", "b.example.com"));
		VALUES.put("hostnames", List.of("a.example.com", "b.example.com"));
		VALUES.put("preemptionPolicy", List.of("Never", "PreemptLowerPriority"));
		VALUES.put("unhealthyPodEvictionPolicy", List.of("IfHealthyBudget", "AlwaysAllow"));
	}

	private final Map<String, String> roots = new HashMap<>();

	private final Map<String, String[]> rows = new HashMap<>();

	private final Map<String, Shape> known = new HashMap<>();

	ModelShapes() {
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(
				Objects.requireNonNull(ModelShapes.class.getClassLoader().getResourceAsStream(TABLE), TABLE),
				StandardCharsets.UTF_8))) {
			reader.lines().filter((line) -> !line.startsWith("#")).map((line) -> line.split(" ")).forEach((row) -> {
				if ("kind".equals(row[0])) {
					this.roots.put(row[1] + " " + row[2], row[3]);
				}
				else {
					this.rows.put(row[0] + " " + row[1], row);
				}
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Shape of(ResourceType<?> type) {
		return object(type.objectClass(), this.roots.getOrDefault(type.apiVersion() + " " + type.kind(), ""));
	}

	private Shape object(Class<?> model, String patched) {
		String key = model.getName() + " " + patched;
		Shape before = this.known.get(key);
		if (before != null) {
			return before;
		}
		Map<String, Supplier<Shape>> fields = new TreeMap<>();
		for (Field field : model.getDeclaredFields()) {
			SerializedName name = field.getAnnotation(SerializedName.class);
			if (name == null || LEFT_OUT.contains(name.value())) {
				continue;
			}
			if (model == V1ObjectMeta.class && !Set.of("labels", "annotations").contains(name.value())) {
				continue;
			}
			String[] row = this.rows.get(patched + " " + name.value());
			String next = (field.getType() == V1ObjectMeta.class) ? "meta.v1.ObjectMeta"
					: (row == null || "-".equals(row[2])) ? "" : row[2];
			fields.put(name.value(), () -> field(name.value(), field.getGenericType(), row, next));
		}
		Shape shape = Shape.object(fields, required(model, fields.keySet()));
		this.known.put(key, shape);
		return shape;
	}

	@SuppressWarnings("unchecked") // the models have it as such
	private static Set<String> required(Class<?> model, Set<String> fields) {
		try {
			Collection<String> required = (Collection<String>) model.getField("openapiRequiredFields").get(null);
			return Set.copyOf(required.stream().filter(fields::contains).toList());
		}
		catch (ReflectiveOperationException ex) {
			return Set.of();
		}
	}

	private Shape field(String name, Type type, String[] row, String patched) {
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			Type item = arguments[arguments.length - 1];
			if (generic.getRawType() == Map.class) {
				return Shape.map(() -> field("", item, null, patched));
			}
			Supplier<Shape> items = () -> field(name, item, null, patched);
			Map<String, String> keys = keys(row);
			boolean set = row != null && List.of(row).contains("list=set");
			return set ? Shape.set(items) : keys.isEmpty() ? Shape.list(items) : Shape.keyed(items, keys);
		}
		Class<?> model = (Class<?>) type;
		if (model == String.class) {
			return Shape.text(VALUES.getOrDefault(name, List.of()).toArray(String[]::new));
		}
		if (model == Integer.class || model == Long.class || model == Double.class) {
			return Shape.of(Kind.INTEGER);
		}
		if (model == Boolean.class) {
			return Shape.of(Kind.TRUTH);
		}
		if (model == Quantity.class) {
			return Shape.of(Kind.QUANTITY);
		}
		if (model == IntOrString.class) {
			return Shape.of(Kind.INT_OR_STRING);
		}
		if (model == OffsetDateTime.class) {
			return Shape.of(Kind.TIME);
		}
		if (model == byte[].class) {
			return Shape.of(Kind.BYTES);
		}
		if (model == Object.class || model == V1JSONSchemaProps.class) {
			return Shape.of(Kind.ANY);
		}
		return object(model, patched);
	}

	private static Map<String, String> keys(String[] row) {
		Map<String, String> keys = new LinkedHashMap<>();
		if (row != null && List.of(row).contains("list=map")) {
			for (String flag : row) {
				if (flag.startsWith("keys=")) {
					for (String key : flag.substring(5).split(",")) {
						String[] parts = key.split("=", 2);
						keys.put(parts[0], (parts.length > 1) ? parts[1] : "");
					}
				}
			}
		}
		return keys;
	}

}
