package dev.kubeinformer.spring.docs;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;

import dev.kubeinformer.Informers;

/**
 * A reader of two clusters, as on the page.
 */
@Service
class EdgeReport {

	private final Lister<V1Pod> pods;

	private final Lister<V1Pod> edgePods;

	EdgeReport(Lister<V1Pod> pods, @Qualifier("edgeInformers") Informers edge) {
		this.pods = pods;
		this.edgePods = edge.lister(V1Pod.class);
	}

	int podsHere() {
		return this.pods.list().size();
	}

	int podsAtTheEdge() {
		return this.edgePods.list().size();
	}

}
