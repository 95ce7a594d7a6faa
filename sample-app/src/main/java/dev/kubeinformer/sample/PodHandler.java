package dev.kubeinformer.sample;

import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.sample.page.LiveFeed;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Handler that shows the events of pods. It reads the zone of a pod's node from the
 * injected lister, in memory and without a request.
 */
@InformerHandler
class PodHandler {

	private static final Logger logger = LoggerFactory.getLogger(PodHandler.class);

	private static final String ZONE = "topology.kubernetes.io/zone";

	private final Lister<V1Node> nodes;

	private final LiveFeed page;

	PodHandler(Lister<V1Node> nodes, LiveFeed page) {
		this.nodes = nodes;
		this.page = page;
	}

	@OnAdd
	void added(ResourceEvent<V1Pod> event) {
		logger.info("{} {}", event.initial() ? "FOUND  " : "ADDED  ", describe(event.object()));
		show(event, event.initial() ? " (was there)" : "");
	}

	@OnUpdate
	void changed(ResourceEvent<V1Pod> event) {
		if (event.resync()) {
			logger.info("RESYNC  {}", describe(event.object()));
			show(event, " (resync)");
			return;
		}
		String before = (event.oldObject() != null) ? phase(event.oldObject()) : "?";
		String change = before.equals(phase(event.object())) ? "" : " (was %s)".formatted(before);
		logger.info("CHANGED {}{}", describe(event.object()), change);
		show(event, change);
	}

	@OnDelete
	void deleted(ResourceEvent<V1Pod> event) {
		String late = event.finalStateUnknown() ? " (noticed late)" : "";
		logger.info("DELETED {}{}", describe(event.object()), late);
		show(event, late);
	}

	private void show(ResourceEvent<V1Pod> event, String remark) {
		V1Pod pod = event.object();
		this.page.show("podHandler", event, "%s on %s%s".formatted(phase(pod), place(pod), remark));
	}

	private String describe(V1Pod pod) {
		return "%-36s %-9s on %s".formatted(
				Objects.requireNonNull(pod.getMetadata()).getNamespace() + "/" + pod.getMetadata().getName(),
				phase(pod), place(pod));
	}

	private static String phase(V1Pod pod) {
		return (pod.getStatus() != null && pod.getStatus().getPhase() != null) ? pod.getStatus().getPhase() : "Unknown";
	}

	private String place(V1Pod pod) {
		String name = (pod.getSpec() != null) ? pod.getSpec().getNodeName() : null;
		if (name == null) {
			return "no node yet";
		}
		String zone = zone(this.nodes.get(name));
		return (zone != null) ? "%s in zone %s".formatted(name, zone) : name;
	}

	private static @Nullable String zone(@Nullable V1Node node) {
		Map<String, String> labels = (node != null && node.getMetadata() != null) ? node.getMetadata().getLabels()
				: null;
		return (labels != null) ? labels.get(ZONE) : null;
	}

}
