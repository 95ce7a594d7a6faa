package dev.kubeinformer.benchmark;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateRunning;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Toleration;
import io.kubernetes.client.openapi.models.V1VolumeMount;

/** Pod of about 6 KB, like those of a deployment with two sidecars. */
final class LargePod {

	private static final OffsetDateTime TIME = OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

	private static final List<String> CONTAINERS = List.of("application", "proxy", "logs");

	private static final int VARIABLES = 8;

	private static final int APPS = 100;

	private static final int NODES = 500;

	private LargePod() {
	}

	static V1Pod of(int number) {
		String app = "app-" + Math.floorMod(number, APPS);
		return new V1Pod().metadata(metadata(number, app)).spec(spec(number, app)).status(status(number));
	}

	private static V1ObjectMeta metadata(int number, String app) {
		return new V1ObjectMeta().namespace("default")
			.name(app + "-5d8f7c9b6-" + number)
			.labels(Map.of("app", app, "version", "v" + Math.floorMod(number, 3), "pod-template-hash", "5d8f7c9b6",
					"app.kubernetes.io/part-of", "shop", "app.kubernetes.io/managed-by", "helm"))
			.annotations(Map.of("prometheus.io/scrape", "true", "checksum/config", "0123456789abcdef".repeat(4)))
			.addOwnerReferencesItem(new V1OwnerReference().apiVersion("apps/v1")
				.kind("ReplicaSet")
				.name(app + "-5d8f7c9b6")
				.uid("1b4e28ba-2fa1-11d2-883f-0016d3cca427")
				.controller(true)
				.blockOwnerDeletion(true));
	}

	private static V1PodSpec spec(int number, String app) {
		V1PodSpec spec = new V1PodSpec().nodeName("node-" + Math.floorMod(number, NODES))
			.restartPolicy("Always")
			.schedulerName("default-scheduler")
			.serviceAccountName(app)
			.addTolerationsItem(new V1Toleration().key("node.kubernetes.io/not-ready")
				.operator("Exists")
				.effect("NoExecute")
				.tolerationSeconds(300L));
		CONTAINERS.forEach((name) -> spec.addContainersItem(container(name, app)));
		return spec;
	}

	private static V1Container container(String name, String app) {
		List<V1EnvVar> variables = new ArrayList<>();
		IntStream.range(0, VARIABLES)
			.forEach((i) -> variables.add(new V1EnvVar().name("SETTING_" + i)
				.value("jdbc:postgresql://db-" + i + ".shop.svc.cluster.local:5432/" + app)));
		return new V1Container().name(name)
			.image("registry.example.com/shop/" + app + "/" + name + ":1.27.3")
			.imagePullPolicy("IfNotPresent")
			.env(variables)
			.resources(new V1ResourceRequirements()
				.requests(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("256Mi")))
				.limits(Map.of("memory", new Quantity("512Mi"))))
			.addVolumeMountsItem(new V1VolumeMount().name("kube-api-access-x7k2p")
				.mountPath("/var/run/secrets/kubernetes.io/serviceaccount")
				.readOnly(true))
			.terminationMessagePath("/dev/termination-log")
			.terminationMessagePolicy("File");
	}

	private static V1PodStatus status(int number) {
		V1PodStatus status = new V1PodStatus().phase("Running")
			.podIP("10." + (Math.floorMod(number, 1 << 24) >> 16) + "." + (number >> 8 & 255) + "." + (number & 255))
			.hostIP("192.168.0.1")
			.qosClass("Burstable")
			.startTime(TIME);
		List.of("Initialized", "Ready", "ContainersReady", "PodScheduled")
			.forEach((type) -> status
				.addConditionsItem(new V1PodCondition().type(type).status("True").lastTransitionTime(TIME)));
		CONTAINERS.forEach((name) -> status.addContainerStatusesItem(new V1ContainerStatus().name(name)
			.image("registry.example.com/shop/" + name + ":1.27.3")
			.imageID("registry.example.com/shop/" + name + "@sha256:" + "0123456789abcdef".repeat(4))
			.containerID("containerd://" + "fedcba9876543210".repeat(4))
			.ready(true)
			.started(true)
			.restartCount(0)
			.state(new V1ContainerState().running(new V1ContainerStateRunning().startedAt(TIME)))));
		return status;
	}

}
