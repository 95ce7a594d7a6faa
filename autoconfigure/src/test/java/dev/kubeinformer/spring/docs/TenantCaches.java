package dev.kubeinformer.spring.docs;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.stereotype.Service;

import dev.kubeinformer.Informer;
import dev.kubeinformer.spring.annotation.InformerSource;

/**
 * Namespaces that come and go, as on the page.
 */
@Service
class TenantCaches {

	private final Informer<V1Pod> pods;

	TenantCaches(@InformerSource(namespaces = "tenant-a") Informer<V1Pod> pods) {
		this.pods = pods;
	}

	void joined(String tenant) {
		this.pods.addNamespace(tenant);
	}

	void left(String tenant) {
		this.pods.removeNamespace(tenant);
	}

}
