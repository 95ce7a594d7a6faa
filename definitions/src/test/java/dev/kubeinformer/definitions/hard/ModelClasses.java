package dev.kubeinformer.definitions.hard;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.*;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Classes that contain models of the official client.
 */
public final class ModelClasses {

	private ModelClasses() {
	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "podowners")
	static class PodOwner extends Hard {

		Spec spec;

		Status status;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.template = new V1PodTemplateSpec().metadata(new V1ObjectMeta().putLabelsItem("app", "a"))
				.spec(new V1PodSpec()
					.addContainersItem(new V1Container().name("c")
						.image("i:1")
						.addPortsItem(new V1ContainerPort().containerPort(80).protocol("TCP"))
						.addEnvItem(new V1EnvVar().name("A").value("b"))
						.addEnvItem(new V1EnvVar().name("S")
							.valueFrom(new V1EnvVarSource()
								.secretKeyRef(new V1SecretKeySelector().name("s").key("k").optional(true))))
						.addVolumeMountsItem(new V1VolumeMount().name("v").mountPath("/v"))
						.livenessProbe(
								new V1Probe().httpGet(new V1HTTPGetAction().path("/").port(new IntOrString("http"))))
						.resources(new V1ResourceRequirements().putRequestsItem("cpu", Quantity.fromString("100m"))))
					.addVolumesItem(new V1Volume().name("v").emptyDir(new V1EmptyDirVolumeSource()))
					.addTolerationsItem(new V1Toleration().key("k").operator("Exists"))
					.addTopologySpreadConstraintsItem(new V1TopologySpreadConstraint().maxSkew(1)
						.topologyKey("zone")
						.whenUnsatisfiable("DoNotSchedule")
						.labelSelector(new V1LabelSelector().putMatchLabelsItem("a", "b"))));
		}

		static class Spec {

			V1PodTemplateSpec template;

		}

		static class Status {

			Long observedGeneration;

			List<V1Condition> conditions = new ArrayList<>();

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "workloads")
	static class Workload extends Hard {

		Spec spec;

		V1DeploymentStatus status;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.stateful = new V1StatefulSetSpec().serviceName("s")
				.selector(new V1LabelSelector().putMatchLabelsItem("a", "b"))
				.template(new V1PodTemplateSpec()
					.spec(new V1PodSpec().addContainersItem(new V1Container().name("c").image("i"))))
				.addVolumeClaimTemplatesItem(new V1PersistentVolumeClaim().metadata(new V1ObjectMeta().name("d"))
					.spec(new V1PersistentVolumeClaimSpec().addAccessModesItem("ReadWriteOnce")
						.resources(new V1VolumeResourceRequirements().putRequestsItem("storage",
								Quantity.fromString("1Gi")))));
			this.spec.job = new V1JobTemplateSpec().spec(new V1JobSpec().backoffLimit(1)
				.template(new V1PodTemplateSpec().spec(new V1PodSpec().restartPolicy("Never")
					.addContainersItem(new V1Container().name("c").image("i")))));
		}

		static class Spec {

			V1StatefulSetSpec stateful;

			V1JobTemplateSpec job;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "networkings")
	static class Networking extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.service = new V1ServiceSpec()
				.addPortsItem(new V1ServicePort().port(80).protocol("TCP").targetPort(new IntOrString("http")));
			this.spec.ingress = new V1IngressSpec().addRulesItem(new V1IngressRule().host("h")
				.http(new V1HTTPIngressRuleValue().addPathsItem(new V1HTTPIngressPath().path("/")
					.pathType("Prefix")
					.backend(new V1IngressBackend().service(
							new V1IngressServiceBackend().name("s").port(new V1ServiceBackendPort().number(80)))))));
			this.spec.policy = new V1NetworkPolicySpec().podSelector(new V1LabelSelector())
				.addPolicyTypesItem("Ingress")
				.addIngressItem(new V1NetworkPolicyIngressRule()
					.addPortsItem(new V1NetworkPolicyPort().port(new IntOrString(80))));
		}

		static class Spec {

			V1ServiceSpec service;

			V1IngressSpec ingress;

			V1NetworkPolicySpec policy;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "referrings")
	static class Referring extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.selector = new V1LabelSelector()
				.addMatchExpressionsItem(new V1LabelSelectorRequirement().key("k").operator("In").addValuesItem("v"));
			this.spec.secret = new V1SecretKeySelector().name("n").key("k");
			this.spec.reference = new V1ObjectReference().kind("Pod").name("p").fieldPath("spec");
			this.spec.pull = List.of(new V1LocalObjectReference().name("l"));
			this.spec.tolerations = List.of(new V1Toleration().key("a").effect("NoSchedule"));
			this.spec.owners = List
				.of(new V1OwnerReference().apiVersion("v1").kind("Pod").name("p").uid("u").controller(true));
			this.spec.affinity = new V1Affinity().podAntiAffinity(new V1PodAntiAffinity()
				.addRequiredDuringSchedulingIgnoredDuringExecutionItem(new V1PodAffinityTerm().topologyKey("t")));
			this.spec.rules = List
				.of(new V1PolicyRule().addApiGroupsItem("").addResourcesItem("pods").addVerbsItem("get"));
			this.spec.resources = new V1ResourceRequirements().putLimitsItem("memory", Quantity.fromString("1Gi"));
		}

		static class Spec {

			V1LabelSelector selector;

			V1SecretKeySelector secret;

			V1ObjectReference reference;

			List<V1LocalObjectReference> pull;

			List<V1Toleration> tolerations;

			List<V1OwnerReference> owners;

			V1Affinity affinity;

			List<V1PolicyRule> rules;

			V1ResourceRequirements resources;

		}

	}

	@KubernetesResource(group = "hard.example.com", version = "v1", plural = "embeddings")
	static class Embedding extends Hard {

		Spec spec;

		@Override
		protected void fill() {
			this.spec = new Spec();
			this.spec.configMap = new V1ConfigMap().apiVersion("v1")
				.kind("ConfigMap")
				.metadata(new V1ObjectMeta().name("m")
					.putAnnotationsItem("a", "b")
					.creationTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z")))
				.data(Map.of("k", "v"));
			this.spec.secrets = Map.of("s", new V1Secret().type("Opaque").putDataItem("k", new byte[] { 1 }));
			this.spec.role = new V1ClusterRole().addRulesItem(new V1PolicyRule().addVerbsItem("get"));
		}

		static class Spec {

			V1ConfigMap configMap;

			Map<String, V1Secret> secrets;

			V1ClusterRole role;

		}

	}

}
