package dev.kubeinformer.benchmark.josdk;

import java.util.Map;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;

/**
 * The ConfigMap that a widget asks for.
 */
final class Desired {

	private Desired() {
	}

	static ConfigMap of(Widget widget) {
		return new ConfigMapBuilder().withNewMetadata()
			.withNamespace(widget.getMetadata().getNamespace())
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
			.endMetadata()
			.withData(Map.of("size", Integer.toString(widget.getSpec().getSize()), "message",
					widget.getSpec().getMessage()))
			.build();
	}

}
