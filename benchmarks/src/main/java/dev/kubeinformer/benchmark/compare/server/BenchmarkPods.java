package dev.kubeinformer.benchmark.compare.server;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ConfigMapVolumeSource;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateRunning;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1EnvVarSource;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1ObjectFieldSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodIP;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Toleration;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import tools.jackson.databind.json.JsonMapper;

/**
 * Pods as in a real cluster, 20 of each application, with status and managedFields. All
 * applications are alike, or each has its own images, variables, volumes and sidecars.
 */
final class BenchmarkPods {

	private static final OffsetDateTime TIME = OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

	private static final int PODS_OF_APP = 20;

	private static final int NAMESPACES = 20;

	private static final int NODES = 2000;

	private static final String SPEC_FIELDS = """
			{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:prometheus.io/port":{},\
			"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/instance":{},\
			"f:app.kubernetes.io/name":{},"f:app.kubernetes.io/part-of":{},"f:app.kubernetes.io/version":{},\
			"f:pod-template-hash":{},"f:team":{}},"f:ownerReferences":{".":{},"k:{\\"uid\\":\\"%s\\"}":{}}},\
			"f:spec":{"f:containers":{"k:{\\"name\\":\\"app\\"}":{".":{},"f:env":{".":{},\
			"k:{\\"name\\":\\"JAVA_OPTS\\"}":{".":{},"f:name":{},"f:value":{}},"k:{\\"name\\":\\"POD_NAME\\"}":{".":{},\
			"f:name":{},"f:valueFrom":{}}},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{".":{},\
			"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},\
			"f:successThreshold":{},"f:timeoutSeconds":{}},"f:name":{},"f:ports":{".":{},\
			"k:{\\"containerPort\\":8080,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{},"f:name":{},\
			"f:protocol":{}}},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},\
			"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},\
			"k:{\\"mountPath\\":\\"/etc/config\\"}":{".":{},"f:mountPath":{},"f:name":{},"f:readOnly":{}}}}},\
			"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:nodeName":{},"f:restartPolicy":{},"f:schedulerName":{},\
			"f:securityContext":{},"f:serviceAccount":{},"f:serviceAccountName":{},"f:terminationGracePeriodSeconds":{},\
			"f:tolerations":{},"f:volumes":{".":{},"k:{\\"name\\":\\"config\\"}":{".":{},"f:configMap":{".":{},\
			"f:defaultMode":{},"f:name":{}},"f:name":{}}}}}""";

	private static final String STATUS_FIELDS = """
			{"f:status":{"f:conditions":{".":{},"k:{\\"type\\":\\"ContainersReady\\"}":{".":{},"f:lastProbeTime":{},\
			"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\\"type\\":\\"Initialized\\"}":{".":{},\
			"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\\"type\\":\\"Ready\\"}":\
			{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},\
			"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},\
			"k:{\\"ip\\":\\"10.2.0.0\\"}":{".":{},"f:ip":{}}},"f:qosClass":{},"f:startTime":{}}}""";

	private final boolean diverse;

	BenchmarkPods(boolean diverse) {
		this.diverse = diverse;
	}

	V1Pod pod(int number) {
		int app = number / PODS_OF_APP;
		V1Pod pod = new V1Pod().metadata(metadata(number, app)).spec(spec(number)).status(status(number));
		if (this.diverse) {
			new Variety(app).applyTo(pod);
		}
		return pod;
	}

	private static V1ObjectMeta metadata(int number, int app) {
		String set = "checkout-service-" + app + "-5b8d496f6d";
		String owner = "00000000-0000-4000-8000-%012d".formatted(app);
		String namespace = "team-" + number % NAMESPACES;
		return new V1ObjectMeta().namespace(namespace)
			.name(set + "-%05x".formatted(number))
			.generateName(set + "-")
			.labels(new HashMap<>(Map.of("app.kubernetes.io/name", "checkout-service", "app.kubernetes.io/instance",
					"checkout-service-" + app, "app.kubernetes.io/version", "1.42.0", "app.kubernetes.io/part-of",
					"shop", "pod-template-hash", "5b8d496f6d", "team", namespace)))
			.annotations(new HashMap<>(Map.of("prometheus.io/scrape", "true", "prometheus.io/port", "8080",
					"checksum/config", "c0ffee254729296a45a3885639ac7e10f9d54979d1b6c2b1c0ffee254729296a")))
			.addOwnerReferencesItem(new V1OwnerReference().apiVersion("apps/v1")
				.kind("ReplicaSet")
				.name(set)
				.uid(owner)
				.controller(true)
				.blockOwnerDeletion(true))
			.addManagedFieldsItem(managed("kube-controller-manager", SPEC_FIELDS.formatted(owner)))
			.addManagedFieldsItem(managed("kubelet", STATUS_FIELDS).subresource("status"));
	}

	private static V1ManagedFieldsEntry managed(String manager, String fields) {
		return new V1ManagedFieldsEntry().manager(manager)
			.operation("Update")
			.apiVersion("v1")
			.time(TIME)
			.fieldsType("FieldsV1")
			.fieldsV1(JsonMapper.shared().readValue(fields, Map.class));
	}

	private static V1PodSpec spec(int number) {
		return new V1PodSpec().nodeName("node-" + number % NODES + ".eu-west-1.compute.internal")
			.serviceAccountName("checkout")
			.serviceAccount("checkout")
			.restartPolicy("Always")
			.dnsPolicy("ClusterFirst")
			.schedulerName("default-scheduler")
			.enableServiceLinks(true)
			.terminationGracePeriodSeconds(30L)
			.addContainersItem(container())
			.addVolumesItem(volume("config", "checkout"))
			.addTolerationsItem(toleration("node.kubernetes.io/not-ready"))
			.addTolerationsItem(toleration("node.kubernetes.io/unreachable"));
	}

	private static V1Container container() {
		return new V1Container().name("app")
			.image("registry.example.com/shop/checkout-service:1.42.0")
			.imagePullPolicy("IfNotPresent")
			.terminationMessagePath("/dev/termination-log")
			.terminationMessagePolicy("File")
			.addPortsItem(new V1ContainerPort().name("http").containerPort(8080).protocol("TCP"))
			.addEnvItem(variable("JAVA_OPTS", "-XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError"))
			.addEnvItem(reference("POD_NAME", "metadata.name"))
			.resources(new V1ResourceRequirements().limits(Map.of("memory", new Quantity("512Mi")))
				.requests(new HashMap<>(Map.of("cpu", new Quantity("250m"), "memory", new Quantity("512Mi")))))
			.livenessProbe(new V1Probe()
				.httpGet(new V1HTTPGetAction().path("/actuator/health/liveness")
					.port(new IntOrString("http"))
					.scheme("HTTP"))
				.failureThreshold(3)
				.periodSeconds(10)
				.successThreshold(1)
				.timeoutSeconds(1))
			.addVolumeMountsItem(new V1VolumeMount().name("config").mountPath("/etc/config").readOnly(true));
	}

	private static V1EnvVar variable(String name, String value) {
		return new V1EnvVar().name(name).value(value);
	}

	private static V1EnvVar reference(String name, String path) {
		return new V1EnvVar().name(name)
			.valueFrom(new V1EnvVarSource().fieldRef(new V1ObjectFieldSelector().apiVersion("v1").fieldPath(path)));
	}

	private static V1Volume volume(String name, String configMap) {
		return new V1Volume().name(name).configMap(new V1ConfigMapVolumeSource().name(configMap).defaultMode(420));
	}

	private static V1Toleration toleration(String key) {
		return new V1Toleration().key(key).operator("Exists").effect("NoExecute");
	}

	private static V1PodStatus status(int number) {
		String ip = "10.2." + number % 250 + "." + number % 251;
		V1PodStatus status = new V1PodStatus().phase("Running")
			.hostIP("10.1." + number % 250 + ".7")
			.podIP(ip)
			.addPodIPsItem(new V1PodIP().ip(ip))
			.startTime(TIME)
			.qosClass("Burstable");
		List.of("Initialized", "Ready", "ContainersReady", "PodScheduled")
			.forEach((type) -> status
				.addConditionsItem(new V1PodCondition().type(type).status("True").lastTransitionTime(TIME)));
		return status.addContainerStatusesItem(new V1ContainerStatus().name("app")
			.state(new V1ContainerState().running(new V1ContainerStateRunning().startedAt(TIME)))
			.ready(true)
			.started(true)
			.restartCount(0)
			.image("registry.example.com/shop/checkout-service:1.42.0")
			.imageID("registry.example.com/shop/checkout-service@sha256:"
					+ "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945")
			.containerID("containerd://%064x".formatted(number)));
	}

	/** Differences between the pods of several applications. */
	private static final class Variety {

		private final int app;

		private final Random random;

		Variety(int app) {
			this.app = app;
			this.random = new Random(app);
		}

		void applyTo(V1Pod pod) {
			V1PodSpec spec = pod.getSpec();
			V1Container container = spec.getContainers().get(0);
			container.setImage(
					"registry.example.com/%s/service-%d:%d.%d.%d".formatted(word(), this.app, up(9), up(40), up(20)));
			for (int n = 4 + up(12); n > 0; n--) {
				container
					.addEnvItem(variable("SETTING_" + word(), "https://" + word() + ".internal.example.com/" + word()));
			}
			container.getResources().putRequestsItem("cpu", new Quantity(50 + 10 * up(200) + "m"));
			for (int n = up(3); n > 0; n--) {
				String name = "config-" + word();
				spec.addVolumesItem(volume(name, name));
				container.addVolumeMountsItem(new V1VolumeMount().name(name).mountPath("/etc/" + name));
			}
			if (this.random.nextBoolean()) {
				spec.addContainersItem(sidecar(pod.getMetadata().getNamespace()));
			}
			Map<String, String> labels = pod.getMetadata().getLabels();
			pod.getMetadata().getAnnotations().put("checksum/config", word() + word() + word() + word());
			labels.put("app.kubernetes.io/name", "service-" + this.app);
			labels.put("app.kubernetes.io/version", up(9) + "." + up(40));
		}

		private V1Container sidecar(String namespace) {
			return new V1Container().name("sidecar")
				.image("registry.example.com/mesh/proxy:1." + up(30))
				.imagePullPolicy("IfNotPresent")
				.terminationMessagePath("/dev/termination-log")
				.terminationMessagePolicy("File")
				.args(new ArrayList<>(List.of("proxy", "sidecar", "--domain", namespace + ".svc.cluster.local",
						"--log-level=" + word())))
				.addEnvItem(reference("POD_IP", "status.podIP"))
				.addEnvItem(variable("CA", word()));
		}

		private int up(int bound) {
			return this.random.nextInt(bound);
		}

		private String word() {
			return "%08x".formatted(this.random.nextInt());
		}

	}

}
