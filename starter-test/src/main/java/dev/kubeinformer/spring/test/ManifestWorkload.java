package dev.kubeinformer.spring.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Capabilities;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStrategy;
import io.kubernetes.client.openapi.models.V1EmptyDirVolumeSource;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1EnvVarSource;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Lifecycle;
import io.kubernetes.client.openapi.models.V1LifecycleHandler;
import io.kubernetes.client.openapi.models.V1ObjectFieldSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSecurityContext;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1RollingUpdateDeployment;
import io.kubernetes.client.openapi.models.V1SeccompProfile;
import io.kubernetes.client.openapi.models.V1SecurityContext;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.kubernetes.client.openapi.models.V1SleepAction;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;

/**
 * Creates the Deployment and the Service of an application.
 *
 * @param application the application
 * @param options the options of the manifests
 * @param name the name of the objects
 * @param namespace the namespace of the objects
 * @param serviceAccount the name of the service account of the pods
 */
record ManifestWorkload(DeployedApplication application, ManifestOptions options, String name, String namespace,
		String serviceAccount) {

	/**
	 * Seconds for which a pod delays its shutdown, so that all nodes stop sending
	 * requests to it.
	 */
	private static final long PAUSE = 5;

	private static final String MEMORY = "1Gi";

	V1Deployment deployment() {
		ServedPorts ports = this.application.ports();
		boolean paused = this.options.withService && ports.http() != null;
		V1Deployment deployment = new V1Deployment().apiVersion("apps/v1")
			.kind("Deployment")
			.metadata(metadata())
			.spec(new V1DeploymentSpec().replicas(replicas())
				.strategy(strategy())
				.selector(new V1LabelSelector().matchLabels(labels()))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels()))
					.spec(new V1PodSpec().serviceAccountName(this.serviceAccount)
						.terminationGracePeriodSeconds(this.application.gracePeriodSeconds(paused ? PAUSE : 0))
						.securityContext(new V1PodSecurityContext().runAsNonRoot(true)
							.seccompProfile(new V1SeccompProfile().type("RuntimeDefault")))
						.addContainersItem(container(ports, paused))
						.addVolumesItem(new V1Volume().name("tmp").emptyDir(new V1EmptyDirVolumeSource())))));
		this.options.deployment.forEach((change) -> change.accept(deployment));
		return deployment;
	}

	private int replicas() {
		if (this.options.replicas != null) {
			return this.options.replicas;
		}
		return this.application.isElecting() ? 2 : 1;
	}

	// If the replicas do not divide the work, two of them must not reconcile at the same
	// time, not even during an update.
	private V1DeploymentStrategy strategy() {
		if (this.application.isReconciling() && !this.application.isElecting()) {
			return new V1DeploymentStrategy().type("Recreate");
		}
		return new V1DeploymentStrategy().type("RollingUpdate")
			.rollingUpdate(
					new V1RollingUpdateDeployment().maxSurge(new IntOrString(1)).maxUnavailable(new IntOrString(0)));
	}

	private V1Container container(ServedPorts ports, boolean paused) {
		V1Container container = new V1Container().name(this.name)
			.image(image())
			.env(environment())
			.resources(new V1ResourceRequirements()
				.requests(new TreeMap<>(
						Map.of("cpu", Quantity.fromString("100m"), "memory", Quantity.fromString(MEMORY))))
				.limits(new TreeMap<>(Map.of("memory", Quantity.fromString(MEMORY)))))
			.securityContext(new V1SecurityContext().allowPrivilegeEscalation(false)
				.readOnlyRootFilesystem(true)
				.capabilities(new V1Capabilities().addDropItem("ALL")))
			.addVolumeMountsItem(new V1VolumeMount().name("tmp").mountPath("/tmp"));
		if (ports.http() != null) {
			container.addPortsItem(new V1ContainerPort().name(ServedPorts.HTTP).containerPort(ports.http()));
		}
		if (ports.management() != null) {
			container
				.addPortsItem(new V1ContainerPort().name(ServedPorts.MANAGEMENT).containerPort(ports.management()));
		}
		ServedPorts.Probes probes = ports.probes();
		if (probes != null) {
			// The application has two minutes to start.
			container.startupProbe(probe(probes, probes.liveness()).periodSeconds(2).failureThreshold(60))
				.livenessProbe(probe(probes, probes.liveness()).periodSeconds(10).timeoutSeconds(3))
				.readinessProbe(probe(probes, probes.readiness()).periodSeconds(5).timeoutSeconds(3));
		}
		if (paused) {
			container.lifecycle(
					new V1Lifecycle().preStop(new V1LifecycleHandler().sleep(new V1SleepAction().seconds(PAUSE))));
		}
		return container;
	}

	private static V1Probe probe(ServedPorts.Probes probes, String path) {
		V1HTTPGetAction get = new V1HTTPGetAction().path(path).port(new IntOrString(probes.port()));
		return new V1Probe().httpGet("HTTPS".equals(probes.scheme()) ? get.scheme(probes.scheme()) : get);
	}

	private String image() {
		return (this.options.image != null) ? this.options.image
				: this.name + ":" + this.application.tag(this.options.version);
	}

	private List<V1EnvVar> environment() {
		List<V1EnvVar> variables = new ArrayList<>();
		variables
			.add(new V1EnvVar().name("JDK_JAVA_OPTIONS").value("-XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError"));
		if (!this.options.profiles.isEmpty()) {
			variables.add(new V1EnvVar().name("SPRING_PROFILES_ACTIVE").value(String.join(",", this.options.profiles)));
		}
		this.application.podFields()
			.forEach((variable, field) -> variables.add(new V1EnvVar().name(variable)
				.valueFrom(new V1EnvVarSource().fieldRef(new V1ObjectFieldSelector().fieldPath(field)))));
		return variables;
	}

	V1Service service() {
		if (this.application.ports().http() == null) {
			throw new IllegalStateException(
					"A Service of '%s' would have no port, because the application serves nothing to other pods; "
						.formatted(this.name) + "add a web server, or leave the Service out");
		}
		V1Service service = new V1Service().apiVersion("v1")
			.kind("Service")
			.metadata(metadata())
			.spec(new V1ServiceSpec().selector(labels())
				.addPortsItem(new V1ServicePort().name(ServedPorts.HTTP)
					.port(80)
					.targetPort(new IntOrString(ServedPorts.HTTP))));
		this.options.services.forEach((change) -> change.accept(service));
		return service;
	}

	private V1ObjectMeta metadata() {
		return new V1ObjectMeta().name(this.name).namespace(this.namespace).labels(labels());
	}

	private Map<String, String> labels() {
		// Mutable, because customizers of the Deployment may add labels.
		return new TreeMap<>(Map.of("app.kubernetes.io/name", this.name));
	}

}
