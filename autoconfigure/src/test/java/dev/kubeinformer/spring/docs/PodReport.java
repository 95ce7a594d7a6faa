package dev.kubeinformer.spring.docs;

import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.stereotype.Service;

import dev.kubeinformer.Informer;
import dev.kubeinformer.spring.annotation.InformerSource;

/**
 * The reader of the page.
 */
@Service
class PodReport {

	private final Lister<V1Pod> pods;

	private final Informer<V1Pod> web;

	PodReport(Lister<V1Pod> pods, @InformerSource(labelSelector = "app=web") Informer<V1Pod> web) {
		this.pods = pods;
		this.web = web;
	}

	List<V1Pod> podsOf(String namespace) {
		return this.pods.namespace(namespace).list();
	}

	int webPods() {
		return this.web.snapshot().size();
	}

}
