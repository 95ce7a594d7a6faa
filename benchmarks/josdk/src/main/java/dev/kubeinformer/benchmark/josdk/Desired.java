package dev.kubeinformer.benchmark.josdk;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;

/**
 * Desired children of a widget: a ConfigMap, optionally with a Deployment and a Service.
 */
final class Desired {

	private Desired() {
	}

	static List<HasMetadata> of(Widget widget, boolean three) {
		return three ? List.of(of(widget), deployment(widget), service(widget)) : List.of(of(widget));
	}

	private static ObjectMeta metadata(Widget widget) {
		return new ObjectMetaBuilder().withNamespace(widget.getMetadata().getNamespace())
			.withName(widget.getMetadata().getName())
			.addToLabels("app", "widget")
			.addNewOwnerReference()
			.withApiVersion(widget.getApiVersion())
			.withKind(widget.getKind())
			.withName(widget.getMetadata().getName())
			.withUid(widget.getMetadata().getUid())
			.withController(true)
			.withBlockOwnerDeletion(true)
			.endOwnerReference()
			.build();
	}

	static ConfigMap of(Widget widget) {
		return new ConfigMapBuilder().withMetadata(metadata(widget))
			.withData(Map.of("size", Integer.toString(widget.getSpec().getSize()), "message",
					widget.getSpec().getMessage()))
			.build();
	}

	private static Deployment deployment(Widget widget) {
		Map<String, String> selector = Map.of("widget", widget.getMetadata().getName());
		return new DeploymentBuilder().withMetadata(metadata(widget))
			.withNewSpec()
			.withReplicas(widget.getSpec().getSize() % 3 + 1)
			.withNewSelector()
			.withMatchLabels(selector)
			.endSelector()
			.withNewTemplate()
			.withNewMetadata()
			.withLabels(selector)
			.endMetadata()
			.withNewSpec()
			.addNewContainer()
			.withName("web")
			.withImage("registry.example.com/web:1.0")
			.addNewEnv()
			.withName("SIZE")
			.withValue(Integer.toString(widget.getSpec().getSize()))
			.endEnv()
			.addNewPort()
			.withName("http")
			.withContainerPort(8080)
			.endPort()
			.withNewResources()
			.addToRequests("cpu", new Quantity("0.1"))
			.addToRequests("memory", new Quantity("64Mi"))
			.endResources()
			.endContainer()
			.endSpec()
			.endTemplate()
			.endSpec()
			.build();
	}

	private static Service service(Widget widget) {
		return new ServiceBuilder().withMetadata(metadata(widget))
			.withNewSpec()
			.withClusterIP("None")
			.withSelector(Map.of("widget", widget.getMetadata().getName()))
			.addNewPort()
			.withName("http")
			.withPort(80)
			.withTargetPort(new IntOrString("http"))
			.endPort()
			.endSpec()
			.build();
	}

	/**
	 * Returns whether a cached child has the desired state, compared field by field as
	 * authors of operators do.
	 * @param now the cached child
	 * @param wanted the desired state
	 * @return {@code true} if the child has that state
	 */
	static boolean isSame(HasMetadata now, HasMetadata wanted) {
		if (!now.getMetadata().getOwnerReferences().equals(wanted.getMetadata().getOwnerReferences())) {
			return false;
		}
		if (wanted instanceof ConfigMap configMap) {
			return configMap.getData().equals(((ConfigMap) now).getData());
		}
		if (wanted instanceof Deployment deployment) {
			return isSame((Deployment) now, deployment);
		}
		return isSame((Service) now, (Service) wanted);
	}

	private static boolean isSame(Deployment now, Deployment wanted) {
		Container container = now.getSpec().getTemplate().getSpec().getContainers().get(0);
		Container web = wanted.getSpec().getTemplate().getSpec().getContainers().get(0);
		return Objects.equals(now.getSpec().getReplicas(), wanted.getSpec().getReplicas())
				&& now.getSpec().getSelector().equals(wanted.getSpec().getSelector())
				&& now.getSpec().getTemplate().getMetadata().getLabels()
					.equals(wanted.getSpec().getTemplate().getMetadata().getLabels())
				&& container.getImage().equals(web.getImage()) && container.getEnv().equals(web.getEnv())
				&& container.getPorts().get(0).getContainerPort().equals(web.getPorts().get(0).getContainerPort())
				&& container.getResources().getRequests().equals(web.getResources().getRequests());
	}

	private static boolean isSame(Service now, Service wanted) {
		ServicePort port = now.getSpec().getPorts().get(0);
		ServicePort http = wanted.getSpec().getPorts().get(0);
		return now.getSpec().getSelector().equals(wanted.getSpec().getSelector())
				&& port.getPort().equals(http.getPort()) && port.getTargetPort().equals(http.getTargetPort());
	}

}
