package dev.kubeinformer.internal.codec.model;

import java.io.StringReader;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.Yaml;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests whether an object contains a desired state. */
class WantedContentTests {

	private static final String IGNORED = "example.com/digest";

	private static Containment in(KubernetesObject there, KubernetesObject wanted) {
		return WantedContent.in(there, wanted, Map.of(), IGNORED);
	}

	private static KubernetesObject read(String kind, String spec) throws Exception {
		String[] type = kind.split(" ");
		return (KubernetesObject) Yaml
			.load(new StringReader("{apiVersion: %s, kind: %s, %s}".formatted(type[0], type[1], spec)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					# values
					apps/v1 Deployment | spec: {replicas: 2} | spec: {replicas: 2, paused: true} | HOLDS
					apps/v1 Deployment | spec: {replicas: 2} | spec: {replicas: 3} | DIFFERS
					apps/v1 Deployment | spec: {replicas: 2} | spec: {paused: true} | DIFFERS
					apps/v1 Deployment | spec: {replicas: 2} | metadata: {name: a} | DIFFERS
					apps/v1 Deployment | metadata: {name: a} | spec: {replicas: 3} | HOLDS
					apps/v1 Deployment | status: {replicas: 2} | status: {replicas: 3} | HOLDS
					# zero, false and "" that the server leaves out, and that it keeps apart from nothing
					apps/v1 Deployment | spec: {paused: false, minReadySeconds: 0} | spec: {replicas: 1} | HOLDS
					apps/v1 Deployment | spec: {replicas: 0} | spec: {paused: true} | DIFFERS
					apps/v1 Deployment | spec: {replicas: 0} | spec: {replicas: 0} | HOLDS
					v1 ServiceAccount | automountServiceAccountToken: false | metadata: {name: a} | DIFFERS
					v1 PersistentVolumeClaim | spec: {storageClassName: ""} | spec: {volumeName: a} | DIFFERS
					v1 Pod | spec: {hostNetwork: false, subdomain: ""} | spec: {nodeName: a} | HOLDS
					v1 Pod | spec: {subdomain: a} | spec: {nodeName: a} | DIFFERS
					v1 Pod | spec: {hostNetwork: false} | spec: {hostNetwork: true} | DIFFERS
					# empty objects count, empty lists do not
					v1 Pod | spec: {securityContext: {}} | spec: {nodeName: a} | DIFFERS
					v1 Pod | spec: {securityContext: {}} | spec: {securityContext: {runAsUser: 0}} | HOLDS
					v1 Pod | spec: {tolerations: []} | spec: {tolerations: [{key: a}]} | HOLDS
					# quantities, numbers or texts
					v1 ResourceQuota | spec: {hard: {cpu: 1000m}} | spec: {hard: {cpu: "1", pods: "3"}} | HOLDS
					v1 ResourceQuota | spec: {hard: {cpu: 1024Mi}} | spec: {hard: {cpu: 1Gi}} | HOLDS
					v1 ResourceQuota | spec: {hard: {cpu: 1000m}} | spec: {hard: {cpu: "2"}} | DIFFERS
					v1 ResourceQuota | spec: {hard: {cpu: 1Gi}} | spec: {hard: {cpu: "1073741824"}} | DIFFERS
					v1 ResourceQuota | spec: {hard: {cpu: "1073741824"}} | spec: {hard: {cpu: 1Gi}} | DIFFERS
					v1 ResourceQuota | spec: {hard: {cpu: 1.5Ki}} | spec: {hard: {cpu: "1536"}} | HOLDS
					v1 ResourceQuota | spec: {hard: {cpu: 0.5Ki}} | spec: {hard: {cpu: "512"}} | HOLDS
					v1 ResourceQuota | spec: {hard: {cpu: 0Gi}} | spec: {hard: {cpu: "0"}} | HOLDS
					policy/v1 PodDisruptionBudget | spec: {minAvailable: 1} | spec: {minAvailable: 1} | HOLDS
					policy/v1 PodDisruptionBudget | spec: {minAvailable: 1} | spec: {minAvailable: 1%} | DIFFERS
					# maps
					v1 ConfigMap | data: {a: b} | data: {a: b, c: d} | HOLDS
					v1 ConfigMap | data: {a: b} | data: {c: d} | DIFFERS
					v1 ConfigMap | data: {a: ""} | data: {a: ""} | HOLDS
					v1 ConfigMap | data: {a: ""} | data: {b: ""} | DIFFERS
					v1 ConfigMap | binaryData: {a: AAEC} | binaryData: {a: AAEC} | HOLDS
					v1 ConfigMap | binaryData: {a: AAEC} | binaryData: {a: AAED} | DIFFERS
					v1 Pod | spec: {nodeSelector: {a: b}} | spec: {nodeSelector: {a: b}} | HOLDS
					v1 Pod | spec: {nodeSelector: {a: b}} | spec: {nodeSelector: {a: b, c: d}} | DIFFERS
					v1 Service | spec: {selector: {a: b}} | spec: {selector: {a: b, c: d}} | DIFFERS
					# lists with keys
					v1 Pod | spec: {containers: [{name: a, image: b}]} | spec: {containers: [{name: c}, {name: a, image: b, tty: true}]} | HOLDS
					v1 Pod | spec: {containers: [{name: a, image: b}]} | spec: {containers: [{name: a, image: c}]} | DIFFERS
					v1 Pod | spec: {containers: [{name: a}, {name: b}]} | spec: {containers: [{name: a}, {name: c}, {name: b}]} | HOLDS
					v1 Pod | spec: {containers: [{name: a}, {name: b}]} | spec: {containers: [{name: b}, {name: a}]} | DIFFERS
					v1 Pod | spec: {containers: [{name: a}, {name: b}]} | spec: {containers: [{name: a}]} | DIFFERS
					v1 Service | spec: {ports: [{port: 1}]} | spec: {ports: [{port: 1, protocol: UDP}, {port: 1, protocol: TCP, nodePort: 5}]} | HOLDS
					v1 Service | spec: {ports: [{port: 1}]} | spec: {ports: [{port: 1, protocol: UDP}]} | DIFFERS
					v1 Service | spec: {ports: [{port: 1, targetPort: http}]} | spec: {ports: [{port: 1, protocol: TCP, targetPort: 80}]} | DIFFERS
					# sets
					storage.k8s.io/v1 CSIDriver | spec: {volumeLifecycleModes: [a]} | spec: {volumeLifecycleModes: [b, a]} | HOLDS
					storage.k8s.io/v1 CSIDriver | spec: {volumeLifecycleModes: [a]} | spec: {volumeLifecycleModes: [b]} | DIFFERS
					# lists that are replaced
					v1 Pod | spec: {tolerations: [{key: a}]} | spec: {tolerations: [{key: a}]} | HOLDS
					v1 Pod | spec: {tolerations: [{key: a}]} | spec: {tolerations: [{key: a}, {key: b}]} | DIFFERS
					v1 Pod | spec: {tolerations: [{key: a}]} | spec: {tolerations: [{key: a, value: b}]} | DIFFERS
					v1 Pod | spec: {containers: [{name: a, args: [b]}]} | spec: {containers: [{name: a, args: [b, c]}]} | DIFFERS
					# objects that are replaced
					apps/v1 Deployment | spec: {selector: {matchLabels: {a: b}}} | spec: {selector: {matchLabels: {a: b}}} | HOLDS
					apps/v1 Deployment | spec: {selector: {matchLabels: {a: b}}} | spec: {selector: {matchLabels: {a: b, c: d}}} | DIFFERS
					apps/v1 Deployment | spec: {selector: {}} | spec: {selector: {matchLabels: {a: b}}} | DIFFERS
					# defaults in what is replaced
					networking.k8s.io/v1 NetworkPolicy | spec: {egress: [{ports: [{port: 1}]}]} | spec: {egress: [{ports: [{port: 1, protocol: TCP}]}]} | HOLDS
					networking.k8s.io/v1 NetworkPolicy | spec: {egress: [{ports: [{port: 1}]}]} | spec: {egress: [{ports: [{port: 1, protocol: UDP}]}]} | DIFFERS
					networking.k8s.io/v1 NetworkPolicy | spec: {ingress: [{}]} | spec: {ingress: [{}]} | HOLDS
					networking.k8s.io/v1 NetworkPolicy | spec: {ingress: [{}]} | spec: {ingress: [{ports: [{port: 1}]}]} | DIFFERS
					v1 Pod | spec: {containers: [{name: a, env: [{name: a, valueFrom: {fieldRef: {fieldPath: b}}}]}]} | spec: {containers: [{name: a, env: [{name: a, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: b}}}]}]} | HOLDS
					v1 Pod | spec: {containers: [{name: a, env: [{name: a, valueFrom: {resourceFieldRef: {resource: b}}}]}]} | spec: {containers: [{name: a, env: [{name: a, valueFrom: {resourceFieldRef: {resource: b, divisor: "0"}}}]}]} | HOLDS
					apps/v1 StatefulSet | spec: {volumeClaimTemplates: [{metadata: {name: a}}]} | spec: {volumeClaimTemplates: [{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {resources: {}, volumeMode: Filesystem}, status: {phase: Pending}}]} | DIFFERS
					apps/v1 StatefulSet | spec: {volumeClaimTemplates: [{metadata: {name: a}, spec: {}}]} | spec: {volumeClaimTemplates: [{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {resources: {}, volumeMode: Filesystem}, status: {phase: Pending}}]} | HOLDS
					rbac.authorization.k8s.io/v1 RoleBinding | subjects: [{kind: User, name: a}, {kind: ServiceAccount, name: b, apiGroup: ""}] | subjects: [{kind: User, name: a, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: b}] | HOLDS
					rbac.authorization.k8s.io/v1 Role | rules: [{verbs: [a]}] | rules: [{verbs: [a], resources: [b]}] | DIFFERS
					""")
	void builtInTypesAreComparedAsTheirSchemasSay(String kind, String wanted, String there, Containment expected)
			throws Exception {
		assertThat(in(read(kind, there), read(kind, wanted))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{} | {} | HOLDS
			{"a": 1} | {"a": 1.0} | HOLDS
			{"a": 1} | {"a": 2} | DIFFERS
			{"a": 1} | {"a": "1"} | DIFFERS
			{"a": ""} | {} | DIFFERS
			{"a": ""} | {"a": ""} | HOLDS
			{"a": null} | {} | HOLDS
			{"a": {"b": 1}} | {"a": {"b": 1, "c": 2}} | HOLDS_AND_MORE
			{"a": {"b": 1}} | {"a": {"c": 2}} | DIFFERS
			{"a": {}} | {} | DIFFERS
			{"a": {}} | {"a": {"b": 1}} | HOLDS_AND_MORE
			{"a": [1, {"b": 2}]} | {"a": [1, {"b": 2}]} | HOLDS
			{"a": [1, {"b": 2}]} | {"a": [1, {"b": 2, "c": 3}]} | HOLDS_AND_MORE
			{"a": [1]} | {"a": [1, 2]} | DIFFERS
			{"a": [1, 2]} | {"a": [2, 1]} | DIFFERS
			{"a": []} | {} | DIFFERS
			{"a": []} | {"a": []} | HOLDS
			{"a": []} | {"a": [1]} | DIFFERS
			""")
	void customResourcesWithoutAClassAreComparedAsTrees(String wanted, String there, Containment expected) {
		assertThat(in(dynamic(there), dynamic(wanted))).isEqualTo(expected);
	}

	private static DynamicKubernetesObject dynamic(String spec) {
		JsonObject raw = new JsonObject();
		raw.addProperty("apiVersion", "example.com/v1");
		raw.add("metadata", new JsonObject());
		raw.add("spec", JsonParser.parseString(spec));
		return new DynamicKubernetesObject(raw);
	}

	@Test
	void customResourcesWithAClassAreComparedByItsFields() {
		assertThat(in(custom(1, "a", null), custom(1, "a", null))).isEqualTo(Containment.HOLDS);
		assertThat(in(custom(2, "a", null), custom(1, "a", null))).isEqualTo(Containment.DIFFERS);
		assertThat(in(custom(1, "a", List.of("b")), custom(1, "a", null))).isEqualTo(Containment.HOLDS_AND_MORE);
		assertThat(in(custom(1, "a", List.of("b")), custom(1, "a", List.of("b")))).isEqualTo(Containment.HOLDS);
		assertThat(in(custom(1, "a", List.of("b", "c")), custom(1, "a", List.of("b")))).isEqualTo(Containment.DIFFERS);
		assertThat(in(custom(1, "a", null), custom(1, "a", List.of()))).isEqualTo(Containment.DIFFERS);
		assertThat(in(custom(1, "a", null), custom(1, "", null))).isEqualTo(Containment.DIFFERS);
		Custom wanted = custom(1, "a", null);
		wanted.selector = new V1LabelSelector().putMatchLabelsItem("a", "b");
		Custom there = custom(1, "a", null);
		there.selector = new V1LabelSelector().putMatchLabelsItem("a", "b").putMatchLabelsItem("c", "d");
		assertThat(in(there, wanted)).isEqualTo(Containment.DIFFERS);
		assertThat(in(wanted, there)).isEqualTo(Containment.DIFFERS);
		assertThat(in(there, there)).isEqualTo(Containment.HOLDS);
	}

	private static Custom custom(int size, String name, @Nullable List<String> list) {
		Custom custom = new Custom();
		custom.size = size;
		custom.name = name;
		custom.list = list;
		custom.amount = new Quantity("1000m");
		custom.port = new IntOrString(1);
		return custom;
	}

	@Test
	void textsOfASecretAreComparedWithItsData() {
		V1Secret wanted = new V1Secret().putStringDataItem("a", "text").putDataItem("a", new byte[] { 1 });
		assertThat(in(new V1Secret().putDataItem("a", "text".getBytes()).putDataItem("b", new byte[1]), wanted))
			.isEqualTo(Containment.HOLDS);
		assertThat(in(new V1Secret().putDataItem("a", "other".getBytes()), wanted)).isEqualTo(Containment.DIFFERS);
		assertThat(in(new V1Secret(), wanted)).isEqualTo(Containment.DIFFERS);
		wanted.putDataItem("b", new byte[] { 2 });
		assertThat(in(new V1Secret().putDataItem("a", "text".getBytes()), wanted)).isEqualTo(Containment.DIFFERS);
	}

	@ParameterizedTest
	@CsvSource({ "2026-01-02T03:04:05.123456Z, 2026-01-02T03:04:05.123456Z, HOLDS",
			"2026-01-02T03:04:05.123456789Z, 2026-01-02T03:04:05.123456Z, HOLDS",
			"2026-01-02T03:04:05.123456Z, 2026-01-02T03:04:05Z, HOLDS",
			"2026-01-02T04:04:05+01:00, 2026-01-02T03:04:05Z, HOLDS",
			"2026-01-02T03:04:06Z, 2026-01-02T03:04:05Z, DIFFERS" })
	void timesAreTheSameInTheFormThatTheServerKeeps(OffsetDateTime wanted, OffsetDateTime there, Containment expected) {
		assertThat(in(new V1Lease().spec(new V1LeaseSpec().renewTime(there)),
				new V1Lease().spec(new V1LeaseSpec().renewTime(wanted))))
			.isEqualTo(expected);
	}

	@Test
	void metadataIsComparedAsItIsSent() {
		V1OwnerReference owner = new V1OwnerReference().apiVersion("v1").kind("A").name("a").uid("1").controller(true);
		V1ConfigMap there = new V1ConfigMap().metadata(new V1ObjectMeta().name("a")
			.labels(Map.of("a", "b", "c", "d"))
			.annotations(Map.of(IGNORED, "x"))
			.finalizers(List.of("example.com/a", "example.com/b"))
			.ownerReferences(List.of(new V1OwnerReference().uid("2"), owner)));
		Map<String, Object> reference = Map.of("apiVersion", "v1", "kind", "A", "name", "a", "uid", "1", "controller",
				true);
		assertThat(metadata(there, Map.of())).isEqualTo(Containment.HOLDS);
		assertThat(metadata(there, Map.of("name", "other"))).isEqualTo(Containment.HOLDS);
		assertThat(metadata(there, Map.of("labels", Map.of("a", "b")))).isEqualTo(Containment.HOLDS);
		assertThat(metadata(there, Map.of("labels", Map.of("a", "c")))).isEqualTo(Containment.DIFFERS);
		assertThat(metadata(there, Map.of("annotations", Map.of(IGNORED, "y")))).isEqualTo(Containment.HOLDS);
		assertThat(metadata(there, Map.of("annotations", Map.of("a", "b")))).isEqualTo(Containment.DIFFERS);
		assertThat(metadata(there, Map.of("finalizers", List.of("example.com/b")))).isEqualTo(Containment.HOLDS);
		assertThat(metadata(there, Map.of("finalizers", List.of("example.com/c")))).isEqualTo(Containment.DIFFERS);
		assertThat(metadata(there, Map.of("ownerReferences", List.of(reference)))).isEqualTo(Containment.HOLDS);
		Map<String, Object> blocking = new LinkedHashMap<>(reference);
		blocking.put("blockOwnerDeletion", true);
		assertThat(metadata(there, Map.of("ownerReferences", List.of(blocking)))).isEqualTo(Containment.DIFFERS);
		assertThat(metadata(there, Map.of("generateName", "a"))).isEqualTo(Containment.DIFFERS);
	}

	private static Containment metadata(V1ConfigMap there, Map<String, ? extends Object> wanted) {
		return WantedContent.in(there, new V1ConfigMap(), new LinkedHashMap<>(wanted), IGNORED);
	}

	@Test
	void tablesNameModelsAndFields() {
		for (String table : List.of(AppliedFields.MERGED, AppliedFields.ADDED, OfficialZeroes.TABLE)) {
			table.lines().forEach((line) -> {
				String[] columns = line.split(" ");
				Class<?> model = Objects.requireNonNull(model(columns[0]));
				for (int i = 1; i < columns.length; i++) {
					String name = columns[i].split("=")[0];
					assertThat(name.equals("!") || ContentClass.of(model).index(name) >= 0).as(line).isTrue();
				}
			});
		}
	}

	private static @Nullable Class<?> model(String name) {
		try {
			return Class.forName(V1ObjectMeta.class.getPackageName() + "." + name);
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

	/**
	 * A custom resource.
	 */
	static class Custom implements KubernetesObject {

		int size;

		@Nullable String name;

		@Nullable List<String> list;

		@Nullable Quantity amount;

		@Nullable IntOrString port;

		@Nullable V1LabelSelector selector;

		@Override
		public V1ObjectMeta getMetadata() {
			return new V1ObjectMeta();
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Custom";
		}

	}

}
